package io.duramen.simulation.run;

import io.duramen.broker.BrokerConfig;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.runtime.settings.Bytes;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.Simulation;
import io.duramen.simulation.SimulationFailure;
import io.duramen.simulation.broker.Ground;
import io.duramen.simulation.broker.SimulatedServer;
import io.duramen.simulation.broker.Step;
import io.duramen.simulation.broker.SubscriptionKey;
import io.duramen.simulation.client.BranchMoverPart;
import io.duramen.simulation.client.CheckerPart;
import io.duramen.simulation.client.ClientPart;
import io.duramen.simulation.client.ConsumerPart;
import io.duramen.simulation.client.HalfLedger;
import io.duramen.simulation.client.HalfPart;
import io.duramen.simulation.client.MoverPart;
import io.duramen.simulation.client.ProducerPart;
import io.duramen.simulation.client.RepeatingPart;
import io.duramen.simulation.client.ReplayedPart;
import io.duramen.simulation.client.SimulatedClient;
import io.duramen.simulation.client.Succession;
import io.duramen.simulation.client.TokenPart;
import io.duramen.simulation.invariant.HalvesEndAsTold;
import io.duramen.simulation.invariant.SoughtComesAgain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One run of the whole broker: clients of all kinds work while things break; then all is mended, everything must drain,
 * and what the log holds must give the same state with and without an image.
 */
final class BrokerRun {
    private static final long FIRST_TOKEN = 1_000_000;
    private static final int RING = 3;
    private static final int SHARDS_MAX = 4;

    /** One run of so many has an operator. */
    private static final int OPERATED = 3;

    private static final String PARKED = "parked";

    /** A topic that keeps what is settled. */
    private static final String REPLAYED = "topic-again";

    private static final SubscriptionKey SOUGHT =
            new SubscriptionKey(REPLAYED, SubscriptionKind.DURABLE, "seeker", "again", 0);

    /** Patterns of destinations that get further partitions, and most of these. */
    private static final List<String> GROWING = List.of("queue-*", "topic-*", "dedup", "ring-*", "halves");

    private static final int MORE_MAX = 3;

    /** Facts of destinations that got some, see {@link io.duramen.broker.destination.KeyedPartitions}. */
    private static final int KEYED = 4;

    /** Destinations whose messages may become dead letters, and are looked for in the end. */
    private static final List<String> DYING = List.of("queue-0", "queue-1", "topic-0", "dedup");

    private static final long STEP_NANOS = 5_000_000;
    private static final int IDLE_STEPS = 12;
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    private final Simulation simulation;
    private final SeededRandom random;
    private final SimulatedServer server;
    private final BrokerConfig config;

    /** The same, but that destinations get further partitions when the server starts. */
    private final BrokerConfig grown;

    private final SimulatedServer.Floors floors;
    private final boolean keepsLog;
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final HalvesEndAsTold halves = new HalvesEndAsTold(PARKED);
    private List<Step> steps = List.of();
    private long senders;
    private final long seed;
    private boolean hasGrown;
    private SoughtComesAgain sought;
    private Optional<Limiter> limiter = Optional.empty();

    BrokerRun(long seed, FloorsOfSeed floorsOfSeed) {
        this(seed, floorsOfSeed, false);
    }

    /** @param headFirst see {@link Ground#fresh} */
    BrokerRun(long seed, FloorsOfSeed floorsOfSeed, boolean headFirst) {
        this(seed, floorsOfSeed, headFirst, false);
    }

    /** One of which each shard is led by a node of its own. */
    static BrokerRun overNodes(long seed) {
        return new BrokerRun(seed, BrokerFloors::of, false, true);
    }

    private BrokerRun(long seed, FloorsOfSeed floorsOfSeed, boolean headFirst, boolean overNodes) {
        this.seed = seed;
        simulation = new Simulation(seed);
        random = simulation.random();
        long settings = random.nextLong();
        config = config(new SeededRandom(settings), 0);
        grown = config(new SeededRandom(settings), random.between(1, MORE_MAX));
        keepsLog = random.oneIn(2);
        floors = floorsOfSeed.floors(random.split(), keepsLog);
        List<Ground> grounds = new ArrayList<>();
        for (int shards = random.oneIn(3) ? 1 : random.between(2, SHARDS_MAX); shards > 0; shards--) {
            grounds.add(Ground.fresh(simulation, headFirst));
        }
        if (overNodes && grounds.size() == 1) {
            grounds.add(Ground.fresh(simulation, headFirst));
        }
        server = new SimulatedServer(simulation, grounds, config, floors);
        if (overNodes) {
            server.overNodes();
        }
    }

    /** Makes the floors below the broker for a run. */
    @FunctionalInterface
    interface FloorsOfSeed {
        /** @param keepsLog whether the log shall ignore what is released, so that it can be replayed from its beginning */
        SimulatedServer.Floors floors(SeededRandom random, boolean keepsLog);
    }

    Simulation simulation() {
        return simulation;
    }

    /** At which steps of transactions over shards the server died. */
    List<Step> steps() {
        return steps;
    }

    /** Whether destinations got further partitions. */
    boolean hasGrown() {
        return hasGrown;
    }

    /** How often another led while the one before did not know of it. */
    long successions() {
        return server.successions();
    }

    /** How many messages came again since a subscription was sought. */
    long cameAgain() {
        return sought == null ? 0 : sought.again();
    }

    /** How often a destination was seen that was full. */
    long full() {
        return limiter.map(Limiter::full).orElse(0L);
    }

    /** How often a batch was sent again after it had waited for room. */
    long waited() {
        return clients.stream().mapToLong(SimulatedClient::waited).sum();
    }

    /** @throws io.duramen.simulation.SimulationFailure where anything went wrong */
    BrokerRun run() {
        try {
            int tokens = random.between(2, 6);
            Watch.over(server, simulation, config, FIRST_TOKEN, tokens);
            server.add(halves);
            server.start();
            workload(tokens);
            Optional<Operator> operator = operator();
            Optional<SettingsChanger> changer = changer();
            limiter = limiter();
            FaultPlan faults = new FaultPlan(server, clients, grown);
            steps = faults.steps();
            simulation.runFor(random.below(400_000_000L));
            simulation.note("run", "all is mended", 0, 0);
            faults.end();
            operator.ifPresent(Operator::end);
            changer.ifPresent(SettingsChanger::end);
            limiter.ifPresent(Limiter::end);
            drain();
            changer.ifPresent(SettingsChanger::look);
            simulation.runFor(STEP_NANOS);
            changer.ifPresent(SettingsChanger::check);
            server.atRest();
            hasGrown = server.images().get(0).facts().stream().anyMatch(fact -> fact.kind() == KEYED);
            if (keepsLog) {
                new ReplayCheck(server, config, floors).compare();
            }
        } catch (SimulationFailure e) {
            throw e;
        } catch (RuntimeException | AssertionError e) {
            throw simulation.failure(e.toString(), e);
        }
        return this;
    }

    /** In some runs; the others go as they would without. */
    private Optional<Operator> operator() {
        return seed % OPERATED == 0
                ? Optional.of(new Operator(server, new SeededRandom(seed), List.of("queue-0", "queue-1", "topic-0")))
                : Optional.empty();
    }

    /** As {@link #operator}. */
    private Optional<SettingsChanger> changer() {
        return seed % OPERATED == 0
                ? Optional.of(new SettingsChanger(server, new SeededRandom(seed + 1), List.of("queue-0", "queue-1")))
                : Optional.empty();
    }

    /** As {@link #operator}, in others. */
    private Optional<Limiter> limiter() {
        return seed % OPERATED == 1
                ? Optional.of(new Limiter(server, new SeededRandom(seed), List.of("queue-0", "queue-1", "topic-0")))
                : Optional.empty();
    }

    /** @param more partitions that destinations get beyond those that new ones get first */
    private static BrokerConfig config(SeededRandom random, int more) {
        int partitions = random.between(1, 3);
        return new BrokerConfig(
                true,
                partitions,
                more == 0 ? List.of() : grown(partitions + more),
                List.of(),
                List.of(),
                100,
                100,
                new Bytes(random.between(300, 4000)),
                Duration.ofMillis(random.between(0, 5)),
                new Bytes(random.between(1000, 20_000)),
                new Bytes(random.between(200, 4000)),
                random.between(8, 100),
                random.between(1, 40),
                1000,
                10,
                100,
                Duration.ofMillis(random.between(1, 20)),
                random.between(2, 50),
                random.between(2, 20),
                Duration.ofMillis(random.between(5, 100)),
                Duration.ofMillis(random.between(5, 50)),
                "",
                random.oneIn(4) ? 0 : random.between(1, 5),
                random.below(3),
                Duration.ofMillis(random.below(20)),
                random.between(1, 3),
                Duration.ofMillis(random.between(1, 25)),
                "DLQ.*",
                List.of("ring-*=max:0", REPLAYED + "=max:0"),
                20,
                new Bytes(1 << 20),
                4,
                Duration.ofMillis(200),
                new Bytes(100_000),
                1000,
                Duration.ofDays(1),
                Duration.ofDays(7),
                100,
                new Bytes(1 << 20),
                Duration.ofMillis(random.between(10, 60)),
                Duration.ofMillis(random.between(5, 40)),
                Duration.ofMillis(random.between(20, 100)),
                random.between(1, 4),
                random.oneIn(3) ? Duration.ofMillis(random.between(20, 200)) : Duration.ofSeconds(1),
                PARKED,
                Duration.ofDays(1),
                10_000,
                Duration.ofHours(1),
                1000,
                1000,
                Duration.ofMillis(random.between(1, 50)));
    }

    private static List<String> grown(int partitions) {
        return GROWING.stream().map(name -> name + "=" + partitions).toList();
    }

    private void workload(int tokens) {
        for (int queue = 0; queue < 2; queue++) {
            for (int i = random.between(1, 2); i > 0; i--) {
                SimulatedClient client = client();
                produce(client, "queue-" + queue, DestinationKind.QUEUE);
                if (random.oneIn(2)) {
                    consume(client, "queue-" + queue, SubscriptionKind.QUEUE, "");
                }
            }
            for (int i = random.between(1, 2); i > 0; i--) {
                consume(client(), "queue-" + queue, SubscriptionKind.QUEUE, "");
            }
        }
        topics();
        ring(tokens);
        temporary();
        repeats();
        for (String origin : DYING) {
            if (random.oneIn(2)) {
                consume(client(), "DLQ." + origin, SubscriptionKind.QUEUE, "");
            }
        }
        halves();
        if (seed % OPERATED == 0) {
            replays();
        }
    }

    /** One subscription is sought, another is not. */
    private void replays() {
        SoughtComesAgain checker = new SoughtComesAgain(SOUGHT);
        server.add(checker);
        sought = checker;
        SimulatedClient client = client(Optional.of(SOUGHT.clientId()));
        client.add(new ReplayedPart(client, server, SOUGHT, checker));
        consume(client(Optional.of("control")), REPLAYED, SubscriptionKind.SHARED_DURABLE, "shared-durable");
        produce(client(), REPLAYED, DestinationKind.TOPIC);
    }

    private void halves() {
        HalfLedger ledger = new HalfLedger();
        consume(client(), "halves", SubscriptionKind.QUEUE, "");
        consume(client(), PARKED, SubscriptionKind.QUEUE, "");
        for (int number = random.between(1, 2); number > 0; number--) {
            SimulatedClient client = client();
            client.add(new HalfPart(client, "halves", number, ledger));
        }
        SimulatedClient checker = client();
        checker.add(new CheckerPart(checker, "halves", ledger));
    }

    private void repeats() {
        int ids = random.between(2, 40);
        consume(client(), "dedup", SubscriptionKind.QUEUE, "");
        for (int number = random.between(2, 3); number > 0; number--) {
            SimulatedClient client = client();
            client.add(new RepeatingPart(client, "dedup", number, ids));
        }
    }

    private void topics() {
        produce(client(), "topic-0", DestinationKind.TOPIC);
        consume(client(Optional.of("durable-client")), "topic-0", SubscriptionKind.DURABLE, "durable");
        for (int i = random.between(1, 2); i > 0; i--) {
            SimulatedClient client = client();
            consume(client, "topic-0", SubscriptionKind.SHARED_DURABLE, "shared-durable");
            consume(client, "topic-0", SubscriptionKind.SHARED, "shared");
            consume(client, "topic-0", SubscriptionKind.EXCLUSIVE, "");
        }
    }

    private void ring(int tokens) {
        SimulatedClient source = client();
        source.add(new TokenPart(source, "ring-0", FIRST_TOKEN, tokens));
        for (int i = 0; i < RING; i++) {
            SimulatedClient client = random.oneIn(2) ? client() : source;
            String from = "ring-" + i;
            String to = "ring-" + (i + 1) % RING;
            if (random.oneIn(3)) {
                Succession named = new Succession("mover-" + i, random.nextLong() | 1);
                client.add(new MoverPart(client, from, to, named));
                SimulatedClient rival = client();
                rival.add(new MoverPart(rival, from, to, named));
            } else if (random.oneIn(2)) {
                client.add(new BranchMoverPart(client, from, to));
            } else {
                client.add(new MoverPart(client, from, to));
            }
        }
    }

    private void temporary() {
        SimulatedClient client = client();
        String name = "temp." + client.number();
        client.add(new ProducerPart(client, name, DestinationKind.TEMPORARY_QUEUE, ++senders, random.below(60)));
        client.add(new ConsumerPart(client, name, DestinationKind.TEMPORARY_QUEUE, SubscriptionKind.QUEUE, "", false));
    }

    private SimulatedClient client() {
        return client(Optional.empty());
    }

    private SimulatedClient client(Optional<String> clientId) {
        SimulatedClient client = new SimulatedClient(server, clients.size() + 1, clientId);
        clients.add(client);
        return client;
    }

    private void produce(SimulatedClient client, String destination, DestinationKind kind) {
        client.add(new ProducerPart(client, destination, kind, ++senders, random.below(120)));
    }

    private void consume(SimulatedClient client, String destination, SubscriptionKind kind, String name) {
        DestinationKind of = kind == SubscriptionKind.QUEUE ? DestinationKind.QUEUE : DestinationKind.TOPIC;
        client.add(new ConsumerPart(client, destination, of, kind, name, random.oneIn(2)));
    }

    private void drain() {
        clients.forEach(client -> client.parts().forEach(ClientPart::windDown));
        awaitIdle();
        for (int i = 0; i < RING; i++) {
            SimulatedClient collector = client();
            consume(collector, "ring-" + i, SubscriptionKind.QUEUE, "");
            collector.parts().forEach(ClientPart::windDown);
        }
        List<String> dead =
                new ArrayList<>(DYING.stream().map(origin -> "DLQ." + origin).toList());
        if (seed % OPERATED == 0) {
            dead.add(SettingsChanger.CHANGED);
            dead.add("DLQ." + REPLAYED);
        }
        for (String queue : dead) {
            SimulatedClient collector = client();
            consume(collector, queue, SubscriptionKind.QUEUE, "");
            collector.parts().forEach(ClientPart::windDown);
        }
        awaitIdle();
        clients.forEach(SimulatedClient::rest);
        simulation.runFor(STEP_NANOS);
    }

    /** Waits until every part was idle twice, some time apart: enough for whatever is still on its way. */
    private void awaitIdle() {
        long end = simulation.nowNanos() + PATIENCE_NANOS;
        int idle = 0;
        while (idle < IDLE_STEPS) {
            if (simulation.nowNanos() > end) {
                throw new AssertionError("did not drain: "
                        + clients.stream().filter(client -> !isIdle(client)).toList());
            }
            simulation.runFor(STEP_NANOS);
            idle = server.isSettled() && halves.areOver() && clients.stream().allMatch(BrokerRun::isIdle)
                    ? idle + 1
                    : 0;
        }
    }

    private static boolean isIdle(SimulatedClient client) {
        return client.isConnected() && client.parts().stream().allMatch(ClientPart::isIdle);
    }
}
