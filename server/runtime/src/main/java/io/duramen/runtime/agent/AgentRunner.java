package io.duramen.runtime.agent;

import io.duramen.runtime.Clock;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Gives an agent its thread. {@link #start}, {@link #wake} and {@link #close} from any thread; the agent is touched by
 * the runner's thread alone.
 *
 * <p>While there is work the thread never sleeps. It parks only after it has announced that it is about to and has then
 * looked once more, so what was handed over before the announcement is found by that look, and who hands something over
 * after it sees the announcement and unparks. A {@link #wake} of a running thread therefore costs a fence and a read.
 */
public final class AgentRunner implements AutoCloseable {
    private final Agent agent;
    private final Clock clock;
    private final Consumer<? super Throwable> onFailure;
    private final Thread thread;
    private volatile boolean parking;
    private volatile boolean closing;
    private volatile boolean ended;

    /**
     * @param onFailure called once by the runner's thread with what the agent threw, before {@link Agent#onClose}; the
     *     agent does no work after that, and everything else in the process goes on
     */
    public AgentRunner(Agent agent, Clock clock, Consumer<? super Throwable> onFailure) {
        this.agent = Objects.requireNonNull(agent);
        this.clock = Objects.requireNonNull(clock);
        this.onFailure = Objects.requireNonNull(onFailure);
        this.thread = new Thread(this::run, agent.name());
    }

    public AgentRunner start() {
        thread.start();
        return this;
    }

    /** Sees to it that the agent works again after this call; what the caller did before is visible to it. */
    public void wake() {
        // Orders the caller's hand-over, which may be a plain ordered store, before the look at the flag.
        java.lang.invoke.VarHandle.fullFence();
        if (parking) {
            // Cleared here too, so that of many who wake at once few pay for an unpark.
            parking = false;
            LockSupport.unpark(thread);
        }
    }

    /** Whether the agent's last work is done, because it failed or was closed. */
    public boolean hasEnded() {
        return ended;
    }

    /** Ends the agent after its present work and waits for its {@link Agent#onClose}. May be called repeatedly. */
    @Override
    public void close() {
        closing = true;
        wake();
        if (Thread.currentThread() == thread || thread.getState() == Thread.State.NEW) {
            return;
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!closing) {
                if (agent.doWork() == 0) {
                    idle();
                }
            }
        } catch (Throwable failure) {
            report(failure);
        } finally {
            try {
                agent.onClose();
            } catch (Throwable failure) {
                report(failure);
            }
            ended = true;
        }
    }

    private void idle() {
        parking = true;
        if (agent.doWork() == 0 && !closing) {
            long deadline = agent.deadlineNanos();
            // Whoever woke us meanwhile has cleared the flag; its unpark may be still to come and is then left over,
            // which costs one round more.
            if (parking) {
                park(deadline);
            }
        }
        parking = false;
    }

    private void park(long deadline) {
        if (deadline == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else {
            long waitNanos = deadline - clock.nanos();
            if (waitNanos > 0) {
                LockSupport.parkNanos(this, waitNanos);
            }
        }
        // An interrupt asks for nothing here, and left set it would keep the thread from ever parking again.
        Thread.interrupted();
    }

    private void report(Throwable failure) {
        try {
            onFailure.accept(failure);
        } catch (Throwable second) {
            failure.addSuppressed(second);
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
        }
    }
}
