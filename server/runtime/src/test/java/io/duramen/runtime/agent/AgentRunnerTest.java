package io.duramen.runtime.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.runtime.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

    @Test
    void shouldWorkOnTheThreadOfWhoWakesItWhereItsOwnSleeps() throws Exception {
        MpscInbox<Runnable> inbox = new MpscInbox<>();
        runner = run(new DrainingAgent<>(inbox, Runnable::run));
        inbox.wakes(runner::wake, runner::wakeHere);
        ExecutorService here = Executors.newSingleThreadExecutor(task -> new Thread(task, "here"));
        try {
            String worker = "";
            while (!worker.equals("here")) { // its own thread may be on its way to sleep
                CompletableFuture<String> thread = new CompletableFuture<>();
                here.execute(() -> {
                    inbox.put(() -> thread.complete(Thread.currentThread().getName()));
                    inbox.wakeHere(here);
                });
                worker = thread.get(20, TimeUnit.SECONDS);
                assertThat(worker).isIn("here", "test");
            }
        } finally {
            here.shutdown();
        }
    }

    @Test
    void shouldGoBackToItsOwnThreadWhenThereIsMuchToDo() throws Exception {
        CountDownLatch backAtHome = new CountDownLatch(1);
        Asleep agent = new Asleep() {
            private int left;

            @Override
            public int doWork() {
                left += takeAwake() ? 1_000 : 0;
                if (left == 0) {
                    return 0;
                }
                left--;
                if (left > 0 && Thread.currentThread().getName().equals("test")) {
                    backAtHome.countDown();
                }
                return 1;
            }
        };
        runner = run(agent);
        agent.awaitAsleep();
        agent.wakeHere(runner, Runnable::run);
        assertThat(backAtHome.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldObserveADeadlineThatCameUpWhileItWasLent() throws Exception {
        CountDownLatch due = new CountDownLatch(1);
        Asleep agent = new Asleep() {
            private long deadline = Long.MAX_VALUE;

            @Override
            public int doWork() {
                if (takeAwake()) {
                    deadline = CLOCK.nanos() + 1_000_000;
                    return 1;
                }
                if (deadline != Long.MAX_VALUE && CLOCK.nanos() - deadline >= 0) {
                    due.countDown();
                }
                return 0;
            }

            @Override
            public long deadlineNanos() {
                return deadline;
            }
        };
        runner = run(agent);
        agent.awaitAsleep();
        agent.wakeHere(runner, Runnable::run);
        assertThat(due.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldReportOnItsOwnThreadWhatWasThrownWhileItWasLent() throws Exception {
        CompletableFuture<Thread> closed = new CompletableFuture<>();
        Asleep agent = new Asleep() {
            @Override
            public int doWork() {
                if (takeAwake()) {
                    throw new IllegalStateException("broken");
                }
                return 0;
            }

            @Override
            public void onClose() {
                closed.complete(Thread.currentThread());
            }
        };
        runner = run(agent);
        agent.awaitAsleep();
        agent.wakeHere(runner, Runnable::run);
        assertThat(closed.get(20, TimeUnit.SECONDS).getName()).isEqualTo("test");
        runner.close();
        assertThat(failure.get()).hasMessage("broken");
    }

    @Test
    void shouldWakeItsOwnThreadWhenNobodyElseTakesTheWork() throws Exception {
        CountDownLatch worked = new CountDownLatch(1);
        Asleep agent = new Asleep() {
            @Override
            public int doWork() {
                if (takeAwake()) {
                    worked.countDown();
                    return 1;
                }
                return 0;
            }
        };
        runner = run(agent);
        agent.awaitAsleep();
        agent.wakeHere(runner, task -> {
            throw new RejectedExecutionException("ended");
        });
        assertThat(worked.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldCloseOnlyAfterItWasGivenBack() throws Exception {
        CountDownLatch lent = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicReference<String> order = new AtomicReference<>("");
        Asleep agent = new Asleep() {
            @Override
            public int doWork() {
                if (takeAwake()) {
                    lent.countDown();
                    await(goOn);
                    order.updateAndGet(before -> before + "worked ");
                    return 1;
                }
                return 0;
            }

            @Override
            public void onClose() {
                order.updateAndGet(before -> before + "closed");
            }
        };
        runner = run(agent);
        agent.awaitAsleep();
        Thread here = new Thread(() -> agent.wakeHere(runner, Runnable::run));
        here.start();
        lent.await();
        Thread closing = new Thread(runner::close);
        closing.start();
        while (closing.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(order.get()).isEmpty();
        goOn.countDown();
        here.join();
        closing.join();
        assertThat(order.get()).isEqualTo("worked closed");
    }

    /** Wakings of all kinds, with deadlines between: nothing is overlooked, and never two threads at once. */
    @Test
    void shouldBeWithOneThreadAtATimeAndLoseNothingWhereverItIsWoken() throws Exception {
        int senders = 4;
        int each = 50_000;
        MpscInbox<long[]> inbox = new MpscInbox<>();
        Watchful agent = new Watchful(inbox, senders, each);
        runner = run(agent);
        inbox.wakes(runner::wake, runner::wakeHere);
        List<ExecutorService> loops = new ArrayList<>();
        for (int sender = 0; sender < senders; sender++) {
            int id = sender;
            ExecutorService loop = Executors.newSingleThreadExecutor();
            loops.add(loop);
            loop.execute(() -> send(id, 0, each, inbox, loop));
        }
        assertThat(agent.all.await(25, TimeUnit.SECONDS)).isTrue();
        loops.forEach(ExecutorService::shutdown);
        assertThat(agent.wrong).isEmpty();
    }

    private static void send(int id, int from, int each, MpscInbox<long[]> inbox, ExecutorService loop) {
        inbox.put(new long[] {id, from});
        if (id % 2 == 0 || from % 3 == 0) {
            inbox.wakeHere(loop);
        } else {
            inbox.wake();
        }
        if (from + 1 < each) {
            loop.execute(() -> send(id, from + 1, each, inbox, loop));
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sees whether it is with one thread, and whether each sender's items come in order. */
    private static final class Watchful extends TestAgent {
        private final MpscInbox<long[]> inbox;
        private final AtomicBoolean inside = new AtomicBoolean();
        private final long[] next;
        private final CountDownLatch all;
        private final List<String> wrong = new CopyOnWriteArrayList<>();

        Watchful(MpscInbox<long[]> inbox, int senders, int each) {
            this.inbox = inbox;
            this.next = new long[senders];
            this.all = new CountDownLatch(senders * each);
        }

        @Override
        public int doWork() {
            if (!inside.compareAndSet(false, true)) {
                wrong.add("two at once");
            }
            int drained = inbox.drain(this::handle, 3);
            inside.set(false);
            return drained;
        }

        private void handle(long[] item) {
            if (next[(int) item[0]]++ != item[1]) {
                wrong.add(item[0] + ":" + item[1]);
            }
            all.countDown();
        }

        @Override
        public long deadlineNanos() {
            return all.getCount() % 2 == 0 ? Long.MAX_VALUE : CLOCK.nanos() + 50_000;
        }
    }

    /** Does nothing until it is asked to. */
    private abstract static class Asleep extends TestAgent {
        private final AtomicReference<Thread> own = new AtomicReference<>();
        private final AtomicBoolean awake = new AtomicBoolean();

        boolean takeAwake() {
            own.compareAndSet(null, Thread.currentThread());
            return awake.getAndSet(false);
        }

        /** Its thread does nothing else that waits. */
        void awaitAsleep() {
            while (own.get() == null || own.get().getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        }

        void wakeHere(AgentRunner runner, Executor here) {
            awake.set(true);
            runner.wakeHere(here);
        }
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
