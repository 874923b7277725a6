package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.entity.Task;
import io.duramen.runtime.Clock;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProposalsTest {
    private static final long MOMENT_NANOS = 300_000;
    private static final int EPOCH = 3;

    private long nowNanos = -100_000;
    private int added;
    private final List<Integer> taken = new ArrayList<>();
    private final Node engine = (Node) Proxy.newProxyInstance(
            Node.class.getClassLoader(), new Class<?>[] {Node.class}, (proxy, method, arguments) -> {
                assertThat(method.getName()).isEqualTo("apply");
                Task task = (Task) arguments[0];
                assertThat(task.getExpectedTerm()).isEqualTo(EPOCH);
                taken.add(task.getData().getInt(0));
                return null;
            });
    private final Proposals proposals = begun();

    private Proposals begun() {
        Clock clock = new Clock() {
            @Override
            public long millis() {
                return 0;
            }

            @Override
            public long nanos() {
                return nowNanos;
            }
        };
        Proposals begun = new Proposals(new Mailbox(), clock, cause -> {
            throw new AssertionError(cause);
        });
        begun.begin(EPOCH, 0, 0);
        return begun;
    }

    @Test
    void shouldHandOverAtOnceWhenNothingIsOnItsWay() {
        for (int i = 1; i <= 3; i++) {
            add(1, 8);
            assertThat(proposals.propose(engine)).isEqualTo(1);
            proposals.committed(i);
        }
        add(5, 8);
        assertThat(proposals.propose(engine)).isEqualTo(5);
        proposals.committed(8);
        add(1, 8);

        assertThat(proposals.propose(engine)).isEqualTo(1);
        assertThat(taken).containsExactlyElementsOf(upTo(9));
    }

    @Test
    void shouldGatherUntilACommitWhenTwoRoundsAreOnTheirWay() {
        round(4);
        round(4);
        add(30, 8);
        nowNanos += 1_000 * MOMENT_NANOS;
        assertThat(proposals.propose(engine)).isZero();
        assertThat(proposals.deadlineNanos()).isEqualTo(Long.MAX_VALUE);
        proposals.committed(3); // of a round's four
        assertThat(proposals.propose(engine)).isZero();

        proposals.committed(4);

        assertThat(proposals.propose(engine)).isEqualTo(30);
        assertThat(taken).containsExactlyElementsOf(upTo(38));
    }

    @Test
    void shouldBeginASecondRoundWhenHalfAsManyWaitAsTheLastHeld() {
        round(7);
        add(3, 8);
        assertThat(proposals.propose(engine)).isZero();
        add(1, 8);

        assertThat(proposals.propose(engine)).isEqualTo(4);
    }

    @Test
    void shouldGoByTheLargerOfTheLastTwoRoundsWhenOneWasSmall() {
        round(8);
        proposals.committed(8);
        round(1);
        add(3, 8);
        assertThat(proposals.propose(engine)).isZero();
        add(1, 8);
        assertThat(proposals.propose(engine)).isEqualTo(4);

        proposals.committed(9); // of the rounds before, 4 and 1, the other is on its way
        add(2, 8);
        assertThat(proposals.propose(engine)).isEqualTo(2);
    }

    @Test
    void shouldBeginASecondRoundWhenAMomentHasPassedSinceTheFirstCame() {
        round(100);
        nowNanos += 5 * MOMENT_NANOS;
        add(1, 8);
        assertThat(proposals.deadlineNanos()).isEqualTo(nowNanos + MOMENT_NANOS);
        nowNanos += MOMENT_NANOS - 1;
        add(1, 8);
        assertThat(proposals.propose(engine)).isZero();
        assertThat(proposals.deadlineNanos()).isEqualTo(nowNanos + 1);
        nowNanos++;

        assertThat(proposals.propose(engine)).isEqualTo(2);
        assertThat(proposals.deadlineNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldNotWaitForACommitWhenManyBytesWait() {
        round(4);
        round(4);
        add(1, (64 << 10) - 8);
        assertThat(proposals.propose(engine)).isZero();
        add(1, 8);
        assertThat(proposals.propose(engine)).isEqualTo(2);
        add(1, 64 << 10);
        assertThat(proposals.propose(engine)).isEqualTo(1);
        add(1, 8);
        assertThat(proposals.propose(engine)).isZero();

        proposals.committed(8); // two of the four rounds
        assertThat(proposals.propose(engine)).isZero();
        proposals.committed(10);
        assertThat(proposals.propose(engine)).isEqualTo(1);
        assertThat(taken).containsExactlyElementsOf(upTo(12));
    }

    @Test
    void shouldHandOverNoMoreThanTheEngineTakesWhenMoreWait() {
        add(300, 1 << 10);
        assertThat(proposals.propose(engine)).isEqualTo(256);
        nowNanos += MOMENT_NANOS;
        assertThat(proposals.propose(engine)).isZero();
        assertThat(proposals.deadlineNanos()).isEqualTo(Long.MAX_VALUE); // nothing is to be had by time alone

        proposals.committed(10);
        assertThat(proposals.propose(engine)).isEqualTo(10);
        proposals.committed(266);
        assertThat(proposals.propose(engine)).isEqualTo(34);
        assertThat(taken).containsExactlyElementsOf(upTo(300));
    }

    @Test
    void shouldHandOverAtOnceWhatStandsBeforeIndexesLeftOutWhenEntriesAreHeldBack() {
        round(8);
        round(8);
        add(1, 8);
        assertThat(proposals.propose(engine)).isZero();
        proposals.hold(2);
        add(1, 8);
        assertThat(proposals.isNextLeftOut(17)).isFalse();

        assertThat(proposals.propose(engine)).isEqualTo(1);
        assertThat(proposals.isNextLeftOut(17)).isTrue();
        assertThat(proposals.propose(engine)).isZero();
        assertThat(taken).containsExactlyElementsOf(upTo(17));
    }

    @Test
    void shouldGatherWhatWasHeldBackWhenItGoesOn() {
        round(8);
        proposals.hold(2);
        add(1, 8);
        assertThat(proposals.isNextLeftOut(8)).isTrue();
        ByteBuffer filler = ByteBuffer.allocate(8).putInt(0, 77);
        nowNanos += 9 * MOMENT_NANOS;
        proposals.goOn(List.of(filler)); // one of the two came
        assertThat(proposals.propose(engine)).isZero();
        assertThat(proposals.deadlineNanos()).isEqualTo(nowNanos + MOMENT_NANOS);
        add(2, 8);
        assertThat(proposals.propose(engine)).isEqualTo(4);

        proposals.committed(9); // which the engine made
        add(1, 8);
        assertThat(proposals.propose(engine)).isZero();
        proposals.committed(13);
        assertThat(proposals.propose(engine)).isEqualTo(1);
        assertThat(taken).endsWith(8, 77, 9, 10, 11, 12);
    }

    @Test
    void shouldForgetWhatWaitsAndWhatIsOnItsWayWhenLeadershipIsLost() {
        round(8);
        round(8);
        add(3, 8);
        proposals.clear();
        assertThat(proposals.propose(engine)).isZero();
        assertThat(proposals.pendingBytes()).isZero();
        assertThat(proposals.deadlineNanos()).isEqualTo(Long.MAX_VALUE);

        proposals.begin(EPOCH, 40, 41);
        assertThat(add(1, 8)).isEqualTo(42);
        assertThat(proposals.propose(engine)).isEqualTo(1);
        add(1, 8);
        assertThat(proposals.propose(engine)).isEqualTo(1);
        proposals.committed(42);
        add(1, 8);
        assertThat(proposals.propose(engine)).isEqualTo(1);
    }

    /** Hands over so many, however few these are. */
    private void round(int entries) {
        add(entries, 8);
        nowNanos += MOMENT_NANOS;
        assertThat(proposals.propose(engine)).isEqualTo(entries);
    }

    /** Returns the index of the last. */
    private long add(int entries, int bytes) {
        long index = 0;
        for (int i = 0; i < entries; i++) {
            index = proposals.add(ByteBuffer.allocate(bytes).putInt(0, ++added));
        }
        return index;
    }

    private static List<Integer> upTo(int last) {
        return IntStream.rangeClosed(1, last).boxed().toList();
    }
}
