package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.LogMedium;
import io.duramen.broker.kit.ManualClock;
import io.duramen.broker.kit.ManualLog;
import io.duramen.protocol.FormatLevel;
import io.duramen.protocol.ProtocolException;
import io.duramen.replication.ReplicatedLog;
import io.duramen.replication.ReplicatedLog.Durability;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AppenderTest {
    private final ManualClock clock = new ManualClock();
    private final ManualLog entries = new ManualLog(new LogMedium(), clock);
    private final List<String> told = new ArrayList<>();
    private long nextIndex = 11;

    private final Appender appender =
            new Appender(0, logWithEntriesOfOthers(), clock, Duration.ZERO, () -> 0, () -> FormatLevel.OLDEST);

    /** In which an entry may get a later place than the one behind the last. */
    private ReplicatedLog logWithEntriesOfOthers() {
        return (ReplicatedLog) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ReplicatedLog.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "newEntry" -> entries.newEntry();
                    case "append" -> nextIndex++;
                    case "isWritable" -> true;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private Appender.Waiter tells(String what) {
        return new Appender.Waiter() {
            @Override
            public void reached() {
                told.add(what);
            }

            @Override
            public void failed(ProtocolException reason) {
                told.add(what + " failed");
            }
        };
    }

    private void add() {
        appender.addControl(new ControlRecord.DestinationDeleted("q"), Durability.SYNCED);
    }

    /** Goal: who waits for an entry is not told by one that the members' change has put before it. */
    @Test
    void shouldTellWhoWaitsWhenItsOwnEntryIsCommittedThoughOthersComeBeforeIt() {
        appender.leadFrom(10);
        add();
        appender.whenCommitted(tells("committed"));
        appender.whenDurable(tells("durable"));
        appender.committed(11);
        appender.durable(11);
        nextIndex = 13;
        appender.flushAll();
        appender.committed(12);
        appender.durable(12);
        assertThat(told).isEmpty();

        appender.committed(13);
        assertThat(told).containsExactly("committed");
        appender.durable(13);
        assertThat(told).containsExactly("committed", "durable");
    }

    @Test
    void shouldTellAtOnceWhenNothingIsOpenAndAllIsCommitted() {
        appender.leadFrom(10);
        appender.whenCommitted(tells("before"));
        add();
        appender.flushAll();
        appender.whenCommitted(tells("after"));
        assertThat(told).containsExactly("before");

        appender.committed(11);
        assertThat(told).containsExactly("before", "after");
    }
}
