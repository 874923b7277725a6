package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.closure.ReadIndexClosure;
import io.duramen.runtime.Clock;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeaderLeaseTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final long LENGTH_NANOS = TIMEOUT.toNanos() * 4 / 5;
    private static final Status FAILED = new Status(-1, "no majority answered");

    private long nowNanos = -5;
    private final Mailbox mailbox = new Mailbox();
    private final List<ReadIndexClosure> questions = new ArrayList<>();
    private final Node engine = (Node) Proxy.newProxyInstance(
            Node.class.getClassLoader(), new Class<?>[] {Node.class}, (proxy, method, arguments) -> {
                assertThat(method.getName()).isEqualTo("readIndex");
                questions.add((ReadIndexClosure) arguments[1]);
                return null;
            });
    private final LeaderLease lease = new LeaderLease(new TestClock(), mailbox, TIMEOUT);

    private final class TestClock implements Clock {
        @Override
        public long millis() {
            return 0;
        }

        @Override
        public long nanos() {
            return nowNanos;
        }
    }

    @Test
    void shouldHoldFromTheQuestionOnWhenAMajorityAnswers() {
        lease.begin();
        assertThat(lease.isHeld()).isFalse();
        long askedNanos = nowNanos;
        assertThat(lease.poll(engine)).isEqualTo(1);
        nowNanos += TIMEOUT.toNanos() / 2;
        answer(0, Status.OK());

        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.deadlineNanos()).isEqualTo(askedNanos + LENGTH_NANOS / 4);
        nowNanos = askedNanos + LENGTH_NANOS - 1;
        assertThat(lease.isHeld()).isTrue();
        nowNanos++;
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void shouldAskAgainWhenNobodyHasAnsweredForAnElectionTimeout() {
        lease.begin();
        lease.poll(engine);
        nowNanos += TIMEOUT.toNanos() - 1;
        assertThat(lease.poll(engine)).isZero();
        assertThat(lease.deadlineNanos()).isEqualTo(nowNanos + 1);
        nowNanos++;

        assertThat(lease.poll(engine)).isEqualTo(1);
        answer(0, Status.OK()); // as late as that it is worth nothing
        assertThat(lease.isHeld()).isFalse();
        answer(1, Status.OK());
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void shouldAskAgainSoonWhenNoMajorityAnswers() {
        lease.begin();
        lease.poll(engine);
        answer(0, FAILED);

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.deadlineNanos()).isEqualTo(nowNanos + LENGTH_NANOS / 16);
    }

    @Test
    void shouldNotHoldWhenTheAnswerIsToALeadershipThatIsOver() {
        lease.begin();
        lease.poll(engine);
        lease.end();
        answer(0, Status.OK());
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.deadlineNanos()).isEqualTo(Long.MAX_VALUE);
        lease.begin();
        answer(0, Status.OK());

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.poll(engine)).isEqualTo(1);
    }

    /** It would wake a thousand times a second, in a cluster that has nothing to do, too. */
    @Test
    void shouldHaveTheEngineStartNoTimerWhenItAsks() {
        lease.begin();
        lease.poll(engine);

        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.contains("read-index"));
    }

    private void answer(int question, Status status) {
        questions.get(question).run(status, 1, new byte[0]);
        mailbox.drain();
    }
}
