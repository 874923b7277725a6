package io.duramen.node.relay;

import io.duramen.runtime.Clock;
import io.duramen.runtime.agent.Agent;
import io.duramen.runtime.agent.AgentRunner;
import io.duramen.runtime.agent.MpscInbox;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs what relays of a node have to do, one task after the other, and something else some ten times a second. {@link #execute} from any thread. */
final class RelayLoop implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RelayLoop.class);
    private static final int TASKS_PER_CYCLE_MAX = 256;
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final MpscInbox<Runnable> tasks = new MpscInbox<>();
    private final Clock clock;
    private final Runnable onTick;
    private final AgentRunner runner;
    private long tickNanos;

    /** @param onTick on the loop's thread; may execute tasks */
    RelayLoop(Clock clock, Runnable onTick) {
        this.clock = clock;
        this.onTick = onTick;
        this.tickNanos = clock.nanos();
        this.runner = new AgentRunner(
                new Work(), clock, failure -> LOG.error("Clients reach no shard of other nodes any more", failure));
        tasks.wakes(runner::wake);
        runner.start();
    }

    @Override
    public void execute(Runnable task) {
        tasks.offer(task);
    }

    /** What is not done yet is not done any more. */
    @Override
    public void close() {
        runner.close();
    }

    private static void attempt(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("A relay cannot do what it has to", e);
        }
    }

    private final class Work implements Agent {
        @Override
        public String name() {
            return "duramen-relay";
        }

        @Override
        public int doWork() {
            int work = tasks.drain(RelayLoop::attempt, TASKS_PER_CYCLE_MAX);
            if (clock.nanos() - tickNanos >= 0) {
                tickNanos = clock.nanos() + TICK_NANOS;
                attempt(onTick);
                work++;
            }
            return work;
        }

        @Override
        public long deadlineNanos() {
            return tickNanos;
        }

        @Override
        public void onClose() {
            // Nothing of it outlives the node.
        }
    }
}
