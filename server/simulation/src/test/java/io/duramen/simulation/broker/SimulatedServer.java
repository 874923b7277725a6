package io.duramen.simulation.broker;

import io.duramen.broker.BrokerConfig;
import io.duramen.broker.shard.FarShards;
import io.duramen.broker.shard.Neighbours;
import io.duramen.broker.shard.OperatorRequest;
import io.duramen.broker.shard.ShardAgent;
import io.duramen.broker.shard.ShardMessage;
import io.duramen.broker.shard.ShardPlace;
import io.duramen.broker.shard.ShardRequest;
import io.duramen.metadata.Projection;
import io.duramen.metadata.ShardImage;
import io.duramen.protocol.Frame;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.ForShard;
import io.duramen.replication.ReplicatedLog;
import io.duramen.runtime.Clock;
import io.duramen.runtime.disk.Disk;
import io.duramen.simulation.SimulatedClock;
import io.duramen.simulation.SimulatedInbox;
import io.duramen.simulation.Simulation;
import io.duramen.simulation.disk.PowerCut;
import io.duramen.simulation.disk.SimulatedDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The broker's core on simulated doors, in one life after the other. Confined to the simulation. */
public final class SimulatedServer {
    /** Makes what the core stands on; tests put faulty ones in between. */
    public interface Floors {
        ReplicatedLog log(Disk disk, Clock clock);

        /**
         * Takes entries back, as a replica does whose group has decided on others. The log is not open.
         *
         * @param committedIndex of what stays in any case
         */
        void takeBack(Disk disk, Clock clock, long committedIndex) throws IOException;

        /** What the logs keep of their promises. */
        default Promises promises() {
            return Promises.ALL;
        }

        /** @param images disk of the image files */
        ShardAgent.Metadata metadata(Projection database, Disk images);
    }

    /** How long a shard works on after it was told that it leads no more, at most. */
    private static final int DEPOSED_NANOS_MAX = 1_000_000;

    private static final int LEASE_NANOS_MAX = 2_000_000;

    /** How long after the lease of one another leads, at most, and how much later the one hears of it. */
    private static final int SUCCESSION_NANOS_MAX = 1_000_000;

    private static final int UNHEARD_NANOS_MAX = 10_000_000;

    private final Simulation simulation;
    private List<Ground> grounds;
    private final SimulatedClock clock;
    private BrokerConfig config;
    private final Floors floors;
    private final Watch watch;
    private final List<SimulatedLink> links = new ArrayList<>();

    /** Links of the running server that are no more; its shards need not have heard of it yet. */
    private final List<SimulatedLink> left = new ArrayList<>();

    private long linksMade;
    private long inFlight;
    private long powerCuts;

    /** What runs, by number; empty where the server is down. */
    private List<SimulatedShard> shards = List.of();

    private Optional<FormerLeader> former = Optional.empty();
    private long successions;

    /** Where each shard is led by a node of its own. */
    private Optional<FarNetwork> network = Optional.empty();

    private final TreeMap<Integer, Long> lastEpochs = new TreeMap<>();

    private Consumer<Step> onStep = step -> {};

    /** @param grounds of each shard, by its number */
    public SimulatedServer(Simulation simulation, List<Ground> grounds, BrokerConfig config, Floors floors) {
        this.simulation = simulation;
        this.grounds = List.copyOf(grounds);
        this.clock = new SimulatedClock(simulation);
        this.config = config;
        this.floors = floors;
        this.watch = new Watch(simulation);
    }

    /** From the next start on each shard is led by a node of its own, which {@link #failOver changes} alone. */
    public SimulatedServer overNodes() {
        network = Optional.of(new FarNetwork(simulation, () -> shards));
        return this;
    }

    public boolean isOverNodes() {
        return network.isPresent();
    }

    /** Sets who is told of each step of a transaction over shards, at its very moment. */
    public void onStep(Consumer<Step> listener) {
        onStep = listener;
    }

    public Simulation simulation() {
        return simulation;
    }

    /** What it stands on, by number of shard. */
    public List<Ground> grounds() {
        return grounds;
    }

    public SimulatedClock clock() {
        return clock;
    }

    public void add(Observer observer) {
        watch.add(observer);
    }

    public boolean isUp() {
        return !shards.isEmpty();
    }

    /** Whether the log of one of the running server's shards has stopped after a failure. */
    public boolean isStopped() {
        return shards.stream().anyMatch(SimulatedShard::isStopped);
    }

    /** Whether the running server leads no more, and is about to end for it. */
    public boolean isDeposed() {
        return shards.stream().anyMatch(SimulatedShard::isDeposed);
    }

    /** Whether the running server is cut off from the others, which it does not know. */
    public boolean isCutOff() {
        return shards.stream().anyMatch(SimulatedShard::isCutOff);
    }

    /** How often another led while the one before did not know of it. */
    public long successions() {
        return successions;
    }

    /** Whether a running server has replayed its logs, and its shards agree on what concerns several of them. */
    public boolean isOpen() {
        return isUp()
                && shards.stream().allMatch(shard -> shard.agent().settled().isDone());
    }

    /** Whether the running server waits for nothing: all is decided, read and written, and there is room for more. */
    public boolean isSettled() {
        return isOpen()
                && shards.stream().allMatch(SimulatedShard::isAtRest)
                && images().stream().allMatch(image -> image.branches().isEmpty());
    }

    /** How often the machine lost power so far. */
    public long powerCuts() {
        return powerCuts;
    }

    /** Hard state of the running server, by number of shard. */
    public List<ShardImage> images() {
        return shards.stream().map(shard -> shard.agent().image()).toList();
    }

    /** The settings that it starts with from now on. */
    public void settings(BrokerConfig next) {
        config = next;
    }

    /** An operator has a destination get partitions, while it is used; what is not there, or has more, stays as it is. */
    public void grow(String destination, int partitions) {
        if (isOpen()) {
            simulation.note("operator", "adds partitions", partitions, 0);
            shards.get(ForShard.CATALOGUE)
                    .offer(new ShardRequest.FromOperator<>(
                            new OperatorRequest.AddPartitions(destination, partitions), new CompletableFuture<>()));
        }
    }

    /** Starts a process. False where the power was cut while it started. */
    public boolean start() {
        simulation.note("server", "starts", 0, 0);
        try {
            List<SimulatedShard> started = new ArrayList<>();
            for (int shard = 0; shard < grounds.size(); shard++) {
                started.add(start(shard, started));
            }
            shards = started;
            List.copyOf(shards).forEach(shard -> shard.run(simulation, clock));
            return true;
        } catch (PowerCut cut) {
            cutPower();
            return false;
        } catch (IOException e) {
            throw new AssertionError("the server does not start: " + e.getMessage(), e);
        }
    }

    /** @param process all shards of it, as they come about */
    private SimulatedShard start(int number, List<SimulatedShard> process) throws IOException {
        Ground ground = grounds.get(number);
        SimulatedDisk disk = ground.log().mount();
        SimulatedDisk images = ground.images().mount();
        Projection database = ground.database().mount();
        SimulatedInbox<ShardRequest> inbox = new SimulatedInbox<>();
        LeadersLog log = new LeadersLog(floors.log(disk, clock), floors.promises(), own -> epoch(number, own));
        Neighbours others = network.isPresent() ? new Far(number, network.get()) : new InThisProcess(number, process);
        ShardPlace place = new ShardPlace(number, others, simulation.random().nextLong());
        ShardAgent agent = new ShardAgent(place, config, clock, log, floors.metadata(database, images), inbox);
        agent.start();
        return new SimulatedShard(agent, log, inbox, new SimulatedShard.Disks(disk, images, database));
    }

    /** A log of one node gives leaders that append nothing the same. */
    private long epoch(int shard, long own) {
        return network.isEmpty() ? own : lastEpochs.merge(shard, own, (last, next) -> Math.max(last + 1, next));
    }

    /** The shards of one process, to each other: what they say to those of a process that has ended is lost. */
    private final class InThisProcess implements Neighbours {
        private final int shard;
        private final List<SimulatedShard> all;

        InThisProcess(int shard, List<SimulatedShard> all) {
            this.shard = shard;
            this.all = all;
        }

        @Override
        public int shards() {
            return grounds.size();
        }

        @Override
        public void leave(int to, ShardMessage message) {
            simulation.note("shard", message.getClass().getSimpleName(), shard, to);
            all.get(to).put(new ShardRequest.FromShard(shard, message));
            Step.of(message).ifPresent(onStep);
        }

        @Override
        public void wake(int to) {
            all.get(to).wake();
        }
    }

    /** The other shards, led by other nodes, to one of them. */
    private final class Far extends FarShards {
        private final int shard;

        Far(int shard, FarNetwork network) {
            super(shard, grounds.size(), clock, network::carry, FarShards.Groups.UNKNOWN);
            this.shard = shard;
        }

        @Override
        public void leave(int to, ShardMessage message) {
            if (hears(to)) {
                simulation.note("shard", message.getClass().getSimpleName(), shard, to);
                Step.of(message).ifPresent(onStep);
            }
            super.leave(to, message);
        }
    }

    /**
     * Another node leads a shard from here on, with all that was committed, and maybe more; the others are led as before. All clients
     * have had to do with it: their connections end. Nothing where the server does not lead, or waits for such a one.
     *
     * @param unheard whether who led it goes on for a while, cut off, without knowing of the other
     */
    public void failOver(int number, boolean unheard) {
        FarNetwork far = network.orElseThrow();
        if (!isOpen() || isStopped() || isCutOff() || far.hasFormer()) {
            return;
        }
        simulation.note("server", "a shard gets another leader", number, unheard ? 1 : 0);
        SimulatedShard lost = shards.get(number);
        long committed = lost.committedIndex();
        if (!unheard) {
            succeed(number, lost, committed, false);
            return;
        }
        lost.cutOff();
        long leaseNanos = simulation.random().below(LEASE_NANOS_MAX);
        simulation.after(leaseNanos, lost::endLease);
        simulation.after(leaseNanos + 1 + simulation.random().below(SUCCESSION_NANOS_MAX), () -> {
            if (isUp() && shards.get(number) == lost) {
                successions++;
                succeed(number, lost, committed, true);
            }
        });
    }

    private void succeed(int number, SimulatedShard lost, long committed, boolean unheard) {
        List<Ground> next = new ArrayList<>(grounds);
        if (unheard) {
            FarNetwork.Former former = new FarNetwork.Former(number, lost);
            network.orElseThrow().add(former);
            next.set(number, grounds.get(number).copyFor(simulation));
            simulation.after(simulation.random().below(UNHEARD_NANOS_MAX), lost::depose);
            simulation.after(UNHEARD_NANOS_MAX, () -> {
                network.orElseThrow().formers().remove(former);
                lost.kill();
            });
        } else {
            lost.kill();
            grounds.get(number).killProcess();
        }
        grounds = List.copyOf(next);
        watch.lost();
        if (simulation.random().oneIn(2)) {
            takeBack(number, committed);
        }
        List<SimulatedShard> now = new ArrayList<>(shards);
        try {
            now.set(number, start(number, now));
        } catch (PowerCut cut) {
            cutPower();
            return;
        } catch (IOException e) {
            throw new AssertionError("the shard does not start: " + e.getMessage(), e);
        }
        shards = now;
        now.get(number).run(simulation, clock);
        List.copyOf(links).forEach(link -> {
            link.endsWithAShard();
            disconnected(link);
        });
    }

    public void cutPower() {
        grounds.forEach(Ground::cutPower);
        end(true);
    }

    public void kill() {
        grounds.forEach(Ground::killProcess);
        end(false);
    }

    /** Ends the process as an operator does. */
    public void stop() {
        shards.forEach(SimulatedShard::onClose);
        end(false);
    }

    /**
     * Has the server lead no more. Soon after its shards were told they are closed, as a node does it; of what they had appended and
     * was not committed some is taken back. Nothing where it does not lead.
     *
     * @param then done once it is down
     */
    public void depose(Runnable then) {
        if (!isOpen()) {
            return;
        }
        simulation.note("server", "leads no more", 0, 0);
        List<SimulatedShard> deposed = shards;
        deposed.forEach(SimulatedShard::depose);
        simulation.after(simulation.random().below(DEPOSED_NANOS_MAX), () -> {
            if (shards == deposed) {
                succeed();
                then.run();
            }
        });
    }

    /**
     * Cuts the server off from other nodes, of which it does not hear: it goes on, and nothing that it appends is committed. Once its
     * lease is over another leads, on disks that are as its own were then, but for entries that are not there; later it hears of that,
     * and ends. Nothing where it does not lead.
     *
     * @param then done once the other is to start
     */
    public void cutOff(Runnable then) {
        if (!isOpen() || isStopped() || isCutOff() || former.isPresent()) {
            return;
        }
        simulation.note("server", "is cut off", 0, 0);
        List<SimulatedShard> cut = shards;
        cut.forEach(SimulatedShard::cutOff);
        List<Long> committed = cut.stream().map(SimulatedShard::committedIndex).toList();
        long leaseNanos = simulation.random().below(LEASE_NANOS_MAX);
        simulation.after(leaseNanos, () -> cut.forEach(SimulatedShard::endLease));
        simulation.after(leaseNanos + 1 + simulation.random().below(SUCCESSION_NANOS_MAX), () -> {
            if (shards == cut) {
                succeedUnheard(committed);
                then.run();
            }
        });
    }

    private void succeedUnheard(List<Long> committed) {
        simulation.note("server", "another leads", 0, 0);
        successions++;
        FormerLeader unaware = new FormerLeader(shards, links, left);
        former = Optional.of(unaware);
        shards = List.of();
        links.clear();
        left.clear();
        inFlight = 0;
        watch.succeeded(false, unaware.links());
        watch.takenBack();
        grounds = grounds.stream().map(ground -> ground.copyFor(simulation)).toList();
        for (int shard = 0; shard < grounds.size(); shard++) {
            if (!simulation.random().oneIn(3)) {
                takeBack(shard, committed.get(shard));
            }
        }
        simulation.after(simulation.random().below(UNHEARD_NANOS_MAX), unaware::depose);
        simulation.after(UNHEARD_NANOS_MAX + simulation.random().below(DEPOSED_NANOS_MAX), () -> {
            former = Optional.empty();
            watch.gone(unaware.links());
            unaware.end();
        });
    }

    private void succeed() {
        if (isStopped() || !shards.stream().allMatch(SimulatedShard::isOver)) {
            kill();
            return;
        }
        shards.forEach(SimulatedShard::onClose);
        List<Long> committed =
                shards.stream().map(SimulatedShard::committedIndex).toList();
        end(false);
        for (int shard = 0; shard < grounds.size(); shard++) {
            if (simulation.random().oneIn(2)) {
                takeBack(shard, committed.get(shard));
            }
        }
    }

    private void takeBack(int shard, long committedIndex) {
        watch.takenBack();
        try {
            floors.takeBack(grounds.get(shard).log().mount(), clock, committedIndex);
        } catch (IOException e) {
            simulation.note("server", "takes nothing back", shard, 0);
        }
    }

    private void end(boolean powerCut) {
        powerCuts += powerCut ? 1 : 0;
        shards.forEach(SimulatedShard::kill);
        network.ifPresent(FarNetwork::end);
        shards = List.of();
        watch.succeeded(powerCut, former.map(FormerLeader::links).orElse(List.of()));
        inFlight = 0;
        List<SimulatedLink> broken = List.copyOf(links);
        links.clear();
        left.clear();
        broken.forEach(SimulatedLink::serverGone);
    }

    /** Lets a client in; empty where the server is down, or its shards do not agree yet. */
    public Optional<SimulatedLink> connect(
            int clientNumber, Optional<String> clientId, SimulatedLink.ClientEnd client) {
        if (former.isPresent() && simulation.random().oneIn(3)) {
            SimulatedLink link = new SimulatedLink(++linksMade, clientNumber, clientId, this, client);
            former.get().connect(link);
            return Optional.of(link);
        }
        if (!isUp() || grounds.size() > 1 && !isOpen()) {
            return Optional.empty();
        }
        SimulatedLink link = new SimulatedLink(++linksMade, clientNumber, clientId, this, client);
        links.add(link);
        return Optional.of(link);
    }

    /** How many shards there are. */
    public int shards() {
        return grounds.size();
    }

    /** An operator asks the shard with the catalogue of a server that is up; never answered where that dies before. */
    public <A> CompletableFuture<A> asks(OperatorRequest<A> request) {
        return asks(ForShard.CATALOGUE, request);
    }

    /** As above, any shard. */
    public <A> CompletableFuture<A> asks(int shard, OperatorRequest<A> request) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        shards.get(shard).offer(new ShardRequest.FromOperator<>(request, answer));
        return answer;
    }

    /** An operator asks to have a subscription go on elsewhere. */
    public void seeking(SubscriptionKey subscription) {
        watch.seeking(subscription);
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
        if (inFlight != 0 && network.isEmpty()) {
            throw new AssertionError(inFlight + " frames were never reported as handled");
        }
        watch.atRest();
    }

    private boolean isOfFormer(SimulatedLink link) {
        return former.isPresent() && former.get().owns(link);
    }

    void receive(SimulatedLink link, Frame frame) {
        int shard = frame.payload() instanceof ForShard addressed ? addressed.shard() : ForShard.CATALOGUE;
        if (isOfFormer(link)) {
            watch.received(link, frame);
            former.get().offer(shard, new ShardRequest.FromClient(link, frame));
        } else if (isUp()) {
            inFlight++;
            watch.received(link, frame);
            shards.get(shard).offer(new ShardRequest.FromClient(link, frame));
        }
    }

    void disconnected(SimulatedLink link) {
        if (isOfFormer(link)) {
            watch.disconnected(link);
            former.get().disconnected(link);
        } else if (isUp()) {
            links.remove(link);
            left.add(link);
            watch.disconnected(link);
            for (int shard = shards.size() - 1; shard >= 0; shard--) {
                shards.get(shard).offer(new ShardRequest.Disconnected(link, false));
            }
        }
    }

    void sending(SimulatedLink link, Frame frame) {
        if (isOfFormer(link)) {
            former.get().requireNoDelivery(frame);
        }
        watch.sent(link, frame);
    }

    void handled(SimulatedLink link, Frame frame) {
        inFlight -= isOfFormer(link) ? 0 : 1;
        watch.handled(link, frame);
    }
}
