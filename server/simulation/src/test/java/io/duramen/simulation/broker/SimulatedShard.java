package io.duramen.simulation.broker;

import io.duramen.broker.shard.ShardAgent;
import io.duramen.broker.shard.ShardRequest;
import io.duramen.metadata.Projection;
import io.duramen.replication.LogStatus;
import io.duramen.runtime.agent.Agent;
import io.duramen.simulation.SimulatedClock;
import io.duramen.simulation.SimulatedInbox;
import io.duramen.simulation.SimulatedThread;
import io.duramen.simulation.Simulation;
import io.duramen.simulation.disk.SimulatedDisk;

/** A shard of a process: as the node does it, the disk of the images is polled beside it. Confined to the simulation. */
final class SimulatedShard implements Agent {
    private final ShardAgent agent;
    private final LeadersLog log;
    private final SimulatedInbox<ShardRequest> inbox;
    private final Disks disks;
    private SimulatedThread thread;

    /** What it stands on. */
    record Disks(SimulatedDisk log, SimulatedDisk images, Projection database) {}

    SimulatedShard(ShardAgent agent, LeadersLog log, SimulatedInbox<ShardRequest> inbox, Disks disks) {
        this.agent = agent;
        this.log = log;
        this.inbox = inbox;
        this.disks = disks;
    }

    void run(Simulation simulation, SimulatedClock clock) {
        thread = new SimulatedThread(simulation, clock, this);
        disks.log.onDue(thread::wake);
        disks.images.onDue(thread::wake);
        disks.database.onDue(thread::wake);
        inbox.onWake(thread::wake);
    }

    ShardAgent agent() {
        return agent;
    }

    void offer(ShardRequest request) {
        inbox.offer(request);
    }

    /** As {@link #offer}, but it may sleep on until {@link #wake}. */
    void put(ShardRequest request) {
        inbox.put(request);
    }

    void wake() {
        inbox.wake();
    }

    boolean isStopped() {
        return log.status().stopped();
    }

    /** Has it be told that it leads no more. */
    void depose() {
        log.depose();
        thread.wake();
    }

    boolean isDeposed() {
        return log.isDeposed();
    }

    /** Nothing that it appends is committed any more, and it does not hear of that. */
    void cutOff() {
        log.cutOff();
    }

    boolean isCutOff() {
        return log.isCutOff();
    }

    /** Others may lead from here on. */
    void endLease() {
        log.endLease();
    }

    boolean isOver() {
        return agent.over().isDone();
    }

    /** Index of the last entry that is committed. */
    long committedIndex() {
        return log.status().committedIndex();
    }

    boolean isLeading() {
        return agent.leading().isDone();
    }

    /** Whether it waits for nothing: all is read and written, and there is room for more. */
    boolean isAtRest() {
        LogStatus status = log.status();
        return disks.log.isIdle() && !status.full() && status.durableIndex() == status.lastIndex();
    }

    /** Ends it as a crash does. */
    void kill() {
        if (thread != null) {
            thread.kill();
        }
    }

    @Override
    public String name() {
        return agent.name();
    }

    @Override
    public int doWork() {
        return disks.images.poll() + disks.database.poll() + agent.doWork();
    }

    @Override
    public long deadlineNanos() {
        return agent.deadlineNanos();
    }

    @Override
    public void onClose() {
        agent.onClose();
        disks.database.close();
        disks.images.close();
    }
}
