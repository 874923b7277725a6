package io.duramen.node.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.protocol.Api;
import io.duramen.protocol.Frame;
import io.duramen.protocol.frame.Drained;
import io.duramen.protocol.frame.Publish;
import io.duramen.runtime.settings.SettingsBinder;
import io.duramen.runtime.settings.SettingsCatalog;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.collections.LongHashSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OutboundTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final LongHashSet unanswered = new LongHashSet();
    private final AtomicLong total = new AtomicLong();
    private final List<Frame> encoded = new ArrayList<>();
    private final Outbound outbound = new Outbound(channel, new Watching(), config(), total);

    private final class Watching implements Outbound.Watcher {
        @Override
        public void onEncoded(Frame frame) {
            encoded.add(frame);
            unanswered.remove(frame.correlation());
        }

        @Override
        public void onTooMuch(String reason) {
            throw new AssertionError(reason);
        }
    }

    private static NetworkConfig config() {
        return SettingsBinder.of(new SettingsCatalog(Map.of("network", NetworkConfig.class)))
                .build()
                .bind(NetworkConfig.class);
    }

    @AfterEach
    void close() {
        outbound.close();
        channel.finishAndReleaseAll();
        assertThat(total.get()).isZero();
    }

    private static Frame answer(long correlation) {
        return Frame.response(Api.PUBLISH, correlation, new Publish.Response(7));
    }

    private static Frame push() {
        return Frame.push(new Drained.Push(0, 1));
    }

    private int writes() {
        int writes = 0;
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            out.release();
            writes++;
        }
        return writes;
    }

    @Test
    void shouldLetTheOnlyAwaitedAnswerLeaveAtOnceWithAllThatStoodBeforeIt() {
        unanswered.add(1);
        Frame before = push();
        Frame only = answer(1);
        outbound.send(before, unanswered);
        outbound.send(only, unanswered);
        assertThat(encoded).containsExactly(before, only);
        assertThat(writes()).isEqualTo(1);
        channel.runPendingTasks();
        assertThat(writes()).isZero();
    }

    @Test
    void shouldGatherAnswersWhereMoreAreAwaited() {
        unanswered.add(1);
        unanswered.add(2);
        outbound.send(answer(1), unanswered);
        outbound.send(answer(2), unanswered);
        assertThat(encoded).isEmpty();
        channel.runPendingTasks();
        assertThat(encoded).hasSize(2);
        assertThat(writes()).isEqualTo(1);
    }

    @Test
    void shouldGatherWhatNobodyWaitsFor() {
        unanswered.add(1);
        outbound.send(push(), unanswered);
        outbound.send(push(), unanswered);
        assertThat(encoded).isEmpty();
        channel.runPendingTasks();
        assertThat(encoded).hasSize(2);
        assertThat(writes()).isEqualTo(1);
    }
}
