package io.duramen.simulation.broker;

import io.duramen.broker.BrokerConfig;
import io.duramen.broker.shard.ShardAgent;
import io.duramen.broker.shard.ShardPlace;
import io.duramen.broker.shard.ShardRequest;
import io.duramen.metadata.Projection;
import io.duramen.metadata.ShardImage;
import io.duramen.protocol.Frame;
import io.duramen.protocol.frame.Commit;
import io.duramen.replication.LogStatus;
import io.duramen.replication.ReplicatedLog;
import io.duramen.runtime.Clock;
import io.duramen.runtime.agent.Agent;
import io.duramen.runtime.disk.Disk;
import io.duramen.simulation.SimulatedClock;
import io.duramen.simulation.SimulatedInbox;
import io.duramen.simulation.SimulatedThread;
import io.duramen.simulation.Simulation;
import io.duramen.simulation.disk.PowerCut;
import io.duramen.simulation.disk.SimulatedDisk;
import io.duramen.simulation.disk.SimulatedMedium;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The broker's core on simulated doors, in one life after the other. Confined to the simulation. */
public final class SimulatedServer {
    /** Makes what the core stands on; tests put faulty ones in between. */
    public interface Floors {
        ReplicatedLog log(Disk disk, Clock clock);

        /** @param images disk of the image files */
        ShardAgent.Metadata metadata(Projection database, Disk images);
    }

    private final Simulation simulation;
    private final SimulatedMedium medium;
    private final Keeping keeping;
    private final SimulatedClock clock;
    private final BrokerConfig config;
    private final Floors floors;
    private final Watch watch;
    private final List<SimulatedLink> links = new ArrayList<>();
    private long linksMade;
    private long inFlight;
    private long powerCuts;
    private Optional<Life> life = Optional.empty();

    /** Where the state is kept beside the log. */
    public record Keeping(SimulatedMedium images, SimulatedDatabase database) {}

    /** @param medium where the log is */
    public SimulatedServer(
            Simulation simulation, SimulatedMedium medium, Keeping keeping, BrokerConfig config, Floors floors) {
        this.simulation = simulation;
        this.medium = medium;
        this.keeping = keeping;
        this.clock = new SimulatedClock(simulation);
        this.config = config;
        this.floors = floors;
        this.watch = new Watch(simulation);
    }

    /** One process: as the node does it, the disk of the images is polled beside the shard. */
    private record Life(
            ShardAgent shard,
            ReplicatedLog log,
            SimulatedInbox<ShardRequest> inbox,
            SimulatedDisk logDisk,
            SimulatedDisk imageDisk,
            Projection database,
            List<SimulatedThread> threads)
            implements Agent {
        @Override
        public String name() {
            return shard.name();
        }

        @Override
        public int doWork() {
            return imageDisk.poll() + database.poll() + shard.doWork();
        }

        @Override
        public long deadlineNanos() {
            return shard.deadlineNanos();
        }

        @Override
        public void onClose() {
            shard.onClose();
            database.close();
            imageDisk.close();
        }

        void wake() {
            threads.forEach(SimulatedThread::wake);
        }

        void kill() {
            threads.forEach(SimulatedThread::kill);
        }
    }

    public Simulation simulation() {
        return simulation;
    }

    public SimulatedMedium medium() {
        return medium;
    }

    public Keeping keeping() {
        return keeping;
    }

    public SimulatedClock clock() {
        return clock;
    }

    public void add(Observer observer) {
        watch.add(observer);
    }

    public boolean isUp() {
        return life.isPresent();
    }

    /** Whether the running server's log has stopped after a failure. */
    public boolean isStopped() {
        return life.isPresent() && life.get().log.status().stopped();
    }

    /** Whether a running server has replayed its log. */
    public boolean isLeading() {
        return life.isPresent() && life.get().shard.leading().isDone();
    }

    /** Whether the running server waits for nothing: all is read and written, and there is room for more. */
    public boolean isSettled() {
        LogStatus status = life.orElseThrow().log.status();
        return isLeading()
                && life.get().logDisk.isIdle()
                && !status.full()
                && status.durableIndex() == status.lastIndex();
    }

    /** How often the machine lost power so far. */
    public long powerCuts() {
        return powerCuts;
    }

    /** Hard state of the running server. */
    public ShardImage image() {
        return life.orElseThrow().shard.image();
    }

    /** Starts a process. False where the power was cut while it started. */
    public boolean start() {
        simulation.note("server", "starts", 0, 0);
        SimulatedDisk disk = medium.mount();
        SimulatedDisk imageDisk = keeping.images.mount();
        Projection database = keeping.database.mount();
        try {
            SimulatedInbox<ShardRequest> inbox = new SimulatedInbox<>();
            ReplicatedLog log = floors.log(disk, clock);
            ShardAgent shard =
                    new ShardAgent(ShardPlace.alone(), config, clock, log, floors.metadata(database, imageDisk), inbox);
            shard.start();
            Life now = new Life(shard, log, inbox, disk, imageDisk, database, new ArrayList<>());
            now.threads.add(new SimulatedThread(simulation, clock, now));
            disk.onDue(now::wake);
            imageDisk.onDue(now::wake);
            database.onDue(now::wake);
            inbox.onWake(now::wake);
            life = Optional.of(now);
            return true;
        } catch (PowerCut cut) {
            cutPower();
            return false;
        } catch (IOException e) {
            throw new AssertionError("the server does not start: " + e.getMessage(), e);
        }
    }

    public void cutPower() {
        medium.cutPower();
        keeping.images.cutPower();
        keeping.database.crash();
        end(true);
    }

    public void kill() {
        medium.killProcess();
        keeping.images.killProcess();
        keeping.database.crash();
        end(false);
    }

    /** Ends the process as an operator does. */
    public void stop() {
        life.ifPresent(Life::onClose);
        end(false);
    }

    private void end(boolean powerCut) {
        powerCuts += powerCut ? 1 : 0;
        life.ifPresent(Life::kill);
        life = Optional.empty();
        watch.died(powerCut);
        inFlight = 0;
        List<SimulatedLink> broken = List.copyOf(links);
        links.clear();
        broken.forEach(SimulatedLink::serverGone);
    }

    /** Lets a client in; empty where the server is down. */
    public Optional<SimulatedLink> connect(
            int clientNumber, Optional<String> clientId, SimulatedLink.ClientEnd client) {
        if (life.isEmpty()) {
            return Optional.empty();
        }
        SimulatedLink link = new SimulatedLink(++linksMade, clientNumber, clientId, this, client);
        links.add(link);
        return Optional.of(link);
    }

    /** A client tells that its application found out, otherwise than by the answer, that its transaction has committed. */
    public void foundCommitted(Commit.Request request) {
        watch.foundCommitted(request);
    }

    /** A client tells that its application knows of a transaction's end. */
    public void rolledBack(long transaction) {
        watch.rolledBack(transaction);
    }

    /** A client tells that its application knows that a branch is committed. */
    public void branchCommitted(long transaction) {
        watch.branchCommitted(transaction);
    }

    /** Tells the observers that everything has come to rest. */
    public void atRest() {
        if (inFlight != 0) {
            throw new AssertionError(inFlight + " frames were never reported as handled");
        }
        watch.atRest();
    }

    void receive(SimulatedLink link, Frame frame) {
        life.ifPresent(now -> {
            inFlight++;
            watch.received(link, frame);
            now.inbox.offer(new ShardRequest.FromClient(link, frame));
        });
    }

    void disconnected(SimulatedLink link) {
        life.ifPresent(now -> {
            links.remove(link);
            watch.disconnected(link);
            now.inbox.offer(new ShardRequest.Disconnected(link, false));
        });
    }

    void sending(SimulatedLink link, Frame frame) {
        watch.sent(link, frame);
    }

    void handled(SimulatedLink link, Frame frame) {
        inFlight--;
        watch.handled(link, frame);
    }
}
