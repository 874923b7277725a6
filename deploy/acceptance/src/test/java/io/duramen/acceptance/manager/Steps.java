package io.duramen.acceptance.manager;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Thread-safe. Halts a thread at a step, once it is told to, until the process is killed. */
final class Steps {
    /** Where one transaction is. Any thread, one at a time, as a manager's are. */
    final class Progress {
        private int prepared;
        private int committed;
        private int rolledBack;

        void prepares() {
            if (prepared == 0) {
                reached(Step.WORKED);
            }
        }

        void prepared() {
            reached(++prepared == 1 ? Step.PREPARED_FIRST : Step.PREPARED_BOTH);
        }

        void commits() {
            if (committed == 0) {
                reached(Step.LOGGED);
            }
        }

        void committed() {
            reached(++committed == 1 ? Step.COMMITTED_FIRST : Step.COMMITTED_BOTH);
        }

        void rolledBack() {
            if (++rolledBack == 1) {
                reached(Step.ROLLED_BACK_FIRST);
            }
        }
    }

    private final AtomicReference<Step> armed = new AtomicReference<>();
    private final Consumer<Step> onHalt;

    /** @param onHalt told of the step that a thread halts at */
    Steps(Consumer<Step> onHalt) {
        this.onHalt = onHalt;
    }

    /** The next thread that comes to this step stays there. */
    void arm(Step step) {
        armed.set(step);
    }

    Progress begin() {
        return new Progress();
    }

    private void reached(Step step) {
        if (armed.compareAndSet(step, null)) {
            onHalt.accept(step);
            stay();
        }
    }

    private static void stay() {
        while (true) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                continue; // kill -9 is what ends it
            }
        }
    }
}
