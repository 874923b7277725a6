package io.duramen.runtime.agent;

import io.duramen.runtime.Clock;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Gives an agent its thread. {@link #start}, {@link #wake}, {@link #wakeHere} and {@link #close} from any thread; the agent is
 * touched by one thread at a time: the runner's, or, while that sleeps, the one that it is lent to by {@link #wakeHere}.
 *
 * <p>While there is work the runner's thread never sleeps. It parks only after it has announced that it is about to and has
 * then looked once more, so what was handed over before the announcement is found by that look, and who hands something
 * over after it sees the announcement and unparks. A {@link #wake} of a running thread therefore costs a fence and a read.
 */
public final class AgentRunner implements Waker, AutoCloseable {
    /** After so many rounds an agent is given back though it has work left: that is more than a moment's. */
    private static final int LENT_ROUNDS_MAX = 16;

    /** The same, after the lender has what it waits for; it is not given back at once, as there is mostly nothing left. */
    private static final int LENT_ROUNDS_AFTER = 2;

    /** Where the agent is. */
    private enum State {
        /** With the runner's thread. */
        RUNNING,
        /** The same, which is about to park and looks for the last time. */
        LOOKING,
        /** With nobody: the thread is parked, or on its way there. */
        PARKED,
        /** With a thread that had something to hand over while the runner's was parked. */
        LENT,
        /** The same, and there is more to do, or the runner's thread wants the agent back. */
        LENT_AND_WOKEN
    }

    private final Agent agent;
    private final Clock clock;
    private final Consumer<? super Throwable> onFailure;
    private final Thread thread;
    private final AtomicReference<State> state = new AtomicReference<>(State.RUNNING);
    private final AtomicBoolean taskDue = new AtomicBoolean();
    private final Runnable task = this::workLent;
    private volatile boolean closing;
    private volatile boolean ended;

    // Of whoever has the agent.
    private long parkedUntil;
    private Throwable failureLent;

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

    @Override
    public void wake() {
        // Orders the caller's hand-over, which may be a plain ordered store, before the look at the state.
        VarHandle.fullFence();
        State now = state.get();
        while (now != State.RUNNING && now != State.LENT_AND_WOKEN && !wakeFrom(now)) {
            now = state.get();
        }
    }

    private boolean wakeFrom(State now) {
        if (!state.compareAndSet(now, now == State.LENT ? State.LENT_AND_WOKEN : State.RUNNING)) {
            return false;
        }
        if (now == State.PARKED) {
            LockSupport.unpark(thread);
        }
        return true;
    }

    /**
     * As {@link #wake}; where the runner's thread sleeps, the agent may be lent to the caller's thread instead: two hand-overs
     * between threads less for what it answers there. A short piece of work is then done as a task of the executor, behind
     * what that has to do already; a longer one goes back to the runner's thread.
     *
     * @param here an executor whose only thread calls this
     */
    public void wakeHere(Executor here) {
        VarHandle.fullFence();
        if (state.get() != State.PARKED || !taskDue.compareAndSet(false, true)) {
            wake();
            return;
        }
        try {
            here.execute(task);
        } catch (RejectedExecutionException e) {
            taskDue.set(false);
            wake();
        }
    }

    private void workLent() {
        taskDue.set(false);
        workLent(() -> false);
    }

    @Override
    public void workHere(BooleanSupplier until) {
        VarHandle.fullFence();
        workLent(until);
    }

    private void workLent(BooleanSupplier until) {
        if (closing || !state.compareAndSet(State.PARKED, State.LENT)) {
            wake();
            return;
        }
        if (isWorkLeft(until) || !state.compareAndSet(State.LENT, State.PARKED)) {
            state.set(State.RUNNING);
            LockSupport.unpark(thread);
        }
    }

    /** Works on the thread that the agent is lent to; whether something is left for the runner's own. */
    private boolean isWorkLeft(BooleanSupplier until) {
        try {
            int left = LENT_ROUNDS_MAX;
            while (agent.doWork() > 0) {
                left = until.getAsBoolean() ? Math.min(left - 1, LENT_ROUNDS_AFTER) : left - 1;
                if (left == 0) {
                    return true;
                }
            }
            long deadline = agent.deadlineNanos();
            return deadline != Long.MAX_VALUE && (parkedUntil == Long.MAX_VALUE || deadline - parkedUntil < 0);
        } catch (Throwable failure) {
            failureLent = failure;
            return true;
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
                    if (failureLent != null) {
                        throw failureLent;
                    }
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
        state.set(State.LOOKING);
        if (agent.doWork() == 0 && !closing) {
            parkedUntil = agent.deadlineNanos();
            if (state.compareAndSet(State.LOOKING, State.PARKED)) {
                park(parkedUntil);
                takeBack();
                return;
            }
        }
        state.set(State.RUNNING);
    }

    /** Waits, where the agent is lent, until it is given back. */
    private void takeBack() {
        while (true) {
            State now = state.get();
            if (now == State.RUNNING || now == State.PARKED && state.compareAndSet(now, State.RUNNING)) {
                return;
            }
            if (now == State.LENT) {
                state.compareAndSet(now, State.LENT_AND_WOKEN);
            } else if (now == State.LENT_AND_WOKEN) {
                LockSupport.park(this);
                Thread.interrupted();
            }
        }
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
