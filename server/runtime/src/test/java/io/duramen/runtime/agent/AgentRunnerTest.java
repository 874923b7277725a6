package io.duramen.runtime.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.runtime.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class AgentRunnerTest {
    private static final Clock CLOCK = new Clock() {
        @Override
        public long millis() {
            return System.currentTimeMillis();
        }

        @Override
        public long nanos() {
            return System.nanoTime();
        }
    };

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private AgentRunner runner;

    @AfterEach
    void close() {
        if (runner != null) {
            runner.close();
        }
    }

    @Test
    void shouldLoseNoWakeUpWhenTheAgentParksBetweenAnyTwoOffers() throws Exception {
        MpscInbox<Integer> questions = new MpscInbox<>();
        MpscInbox<Integer> answers = new MpscInbox<>();
        Thread asker = Thread.currentThread();
        answers.wakes(() -> java.util.concurrent.locks.LockSupport.unpark(asker));
        runner = run(new DrainingAgent<>(questions, answers::offer));
        questions.wakes(runner::wake);

        // Ping-pong: both sides go idle after every single item, so each round crosses the race once.
        int[] last = {-1};
        for (int i = 0; i < 100_000; i++) {
            questions.offer(i);
            while (answers.drain(answer -> last[0] = answer, 1) == 0) {
                Thread.onSpinWait();
            }
            assertThat(last[0]).isEqualTo(i);
        }
    }

    @Test
    void shouldKeepTheOrderOfEachSenderWhenManyOffer() throws Exception {
        int senders = 4;
        int each = 50_000;
        MpscInbox<long[]> inbox = new MpscInbox<>();
        long[] next = new long[senders];
        CountDownLatch all = new CountDownLatch(senders * each);
        List<String> wrong = new ArrayList<>();
        runner = run(new DrainingAgent<>(inbox, item -> {
            if (next[(int) item[0]]++ != item[1]) {
                wrong.add(item[0] + ":" + item[1]);
            }
            all.countDown();
        }));
        inbox.wakes(runner::wake);
        for (int sender = 0; sender < senders; sender++) {
            int id = sender;
            new Thread(() -> {
                        for (int i = 0; i < each; i++) {
                            inbox.offer(new long[] {id, i});
                        }
                    })
                    .start();
        }
        assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(wrong).isEmpty();
    }

    @Test
    void shouldWorkAgainWhenTheDeadlineHasPassed() throws Exception {
        CountDownLatch rounds = new CountDownLatch(5);
        runner = run(new TestAgent() {
            @Override
            public int doWork() {
                rounds.countDown();
                return 0;
            }

            @Override
            public long deadlineNanos() {
                return CLOCK.nanos() + 1_000_000;
            }
        });
        assertThat(rounds.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldReportTheFailureAndCloseTheAgentWhenItThrows() throws Exception {
        CompletableFuture<Thread> closed = new CompletableFuture<>();
        runner = run(new TestAgent() {
            @Override
            public int doWork() {
                throw new IllegalStateException("broken");
            }

            @Override
            public void onClose() {
                closed.complete(Thread.currentThread());
            }
        });
        assertThat(closed.get(20, TimeUnit.SECONDS).getName()).isEqualTo("test");
        runner.close();
        assertThat(failure.get()).hasMessage("broken");
        assertThat(runner.hasEnded()).isTrue();
    }

    @Test
    void shouldReportAFailingOnCloseWhenItIsClosed() {
        runner = run(new TestAgent() {
            @Override
            public void onClose() {
                throw new IllegalStateException("cannot close");
            }
        });
        runner.close();
        runner.close();
        assertThat(failure.get()).hasMessage("cannot close");
    }

    @Test
    void shouldSleepAgainWhenItWasInterrupted() throws Exception {
        AtomicReference<Thread> thread = new AtomicReference<>();
        CountDownLatch started = new CountDownLatch(1);
        MpscInbox<Runnable> inbox = new MpscInbox<>();
        runner = run(new DrainingAgent<>(inbox, Runnable::run));
        inbox.wakes(runner::wake);
        inbox.offer(() -> {
            thread.set(Thread.currentThread());
            started.countDown();
        });
        started.await();
        thread.get().interrupt();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        while (thread.get().isInterrupted()) {
            Thread.onSpinWait();
        }
        inbox.offer(() -> interrupted.complete(Thread.currentThread().isInterrupted()));
        assertThat(interrupted.get(20, TimeUnit.SECONDS)).isFalse();
    }

    private AgentRunner run(Agent agent) {
        return new AgentRunner(agent, CLOCK, failure::set).start();
    }

    private static class TestAgent implements Agent {
        @Override
        public String name() {
            return "test";
        }

        @Override
        public int doWork() {
            return 0;
        }

        @Override
        public long deadlineNanos() {
            return Long.MAX_VALUE;
        }

        @Override
        public void onClose() {}
    }

    private static final class DrainingAgent<T> extends TestAgent {
        private final Inbox<T> inbox;
        private final java.util.function.Consumer<T> handler;

        DrainingAgent(Inbox<T> inbox, java.util.function.Consumer<T> handler) {
            this.inbox = inbox;
            this.handler = handler;
        }

        @Override
        public int doWork() {
            return inbox.drain(handler, 16);
        }
    }
}
