package io.duramen.broker.kit;

import io.duramen.broker.BrokerConfig;
import io.duramen.broker.MetadataConfig;
import io.duramen.broker.shard.FarShards;
import io.duramen.broker.shard.Neighbours;
import io.duramen.broker.shard.OperatorRequest;
import io.duramen.broker.shard.ShardAgent;
import io.duramen.broker.shard.ShardMessage;
import io.duramen.broker.shard.ShardPlace;
import io.duramen.broker.shard.ShardRequest;
import io.duramen.metadata.ShardImage;
import io.duramen.protocol.Frame;
import io.duramen.protocol.frame.ForShard;
import io.duramen.runtime.settings.SettingsBinder;
import io.duramen.runtime.settings.SettingsCatalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Several shards of one node on logs and stores in memory, run by the test's thread a step at a time, in an order that a
 * seed decides. Or of a cluster, each led by a node of its own ({@link #overNodes}), which changes when a test wants it.
 */
public final class TestNode {
    private static final int NONE = -1;
    private static final int STEPS_MAX = 200_000;

    /** So long frames that were lost are waited for. */
    private static final int PAUSES_MAX = 60;

    private static final Duration PAUSE = Duration.ofMillis(50);

    /** Whether tests of a node's shards are run with shards that are far from each other. */
    private static final boolean FAR = Boolean.getBoolean("broker.far");

    private int shards;
    private final SplittableRandom random;
    private final Map<String, String> settings = new HashMap<>();
    private final List<LogMedium> media = new ArrayList<>();
    private final List<MemoryStore> stores = new ArrayList<>();
    private final ManualClock clock = new ManualClock();
    private final List<NodeClient> clients = new ArrayList<>();
    private final List<ShardMessage> told = new ArrayList<>();
    private List<ListInbox<ShardRequest>> inboxes = new ArrayList<>();
    private List<ManualLog> logs = new ArrayList<>();
    private List<ShardAgent> agents = new ArrayList<>();
    private Predicate<ShardMessage> fatal = message -> false;
    private boolean dying;
    private boolean lazyDisks;
    private int[] replicas = {};
    private int unsynced = -1;
    private int sleeping = NONE;
    private long lastConnection;
    private boolean far = FAR;
    private final FarLink link;
    private final List<Neighbours> neighbours = new ArrayList<>();
    private final Map<Integer, Long> committedByShard = new HashMap<>();

    private TestNode(int shards, long seed) {
        this.shards = shards;
        this.random = new SplittableRandom(seed);
        this.link = new FarLink(random);
        settings.put("broker.settlement-linger", "0s");
        settings.put("metadata.flush-every", "10s");
        settings.put("metadata.snapshot-every", "10s");
        for (int shard = 0; shard < shards; shard++) {
            media.add(new LogMedium());
            stores.add(new MemoryStore(shard));
        }
    }

    public static TestNode ofShards(int shards, long seed) {
        return new TestNode(shards, seed);
    }

    /** @param setting its key behind {@code broker.} */
    public TestNode with(String setting, String value) {
        settings.put("broker." + setting, value);
        return this;
    }

    /** Each shard is on so many nodes, as those who place something are told. */
    public TestNode onNodes(int... replicasOfShards) {
        replicas = replicasOfShards;
        return this;
    }

    /** Each shard is led by a node of its own. */
    public TestNode overNodes() {
        far = true;
        return this;
    }

    /** Some of what shards say to each other is lost, repeated or late, or not any more. */
    public TestNode withFaultyLinks(boolean faulty) {
        link.setFaulty(faulty);
        return this;
    }

    /** From now on disks sync when chance has it. */
    public TestNode withLazyDisks() {
        lazyDisks = true;
        return this;
    }

    /** That shard's disk syncs nothing from now on; with -1 all do again. */
    public TestNode withoutSync(int shard) {
        if (unsynced >= 0) {
            logs.get(unsynced).sync();
        }
        unsynced = shard;
        return this;
    }

    /** From now on a shard does nothing, as one whose log takes long to replay. */
    public TestNode withSleeping(int shard) {
        sleeping = shard;
        return this;
    }

    /** All shards work again. */
    public TestNode awake() {
        sleeping = NONE;
        return run();
    }

    public TestNode started() {
        open();
        run();
        return this;
    }

    private void open() {
        inboxes = new ArrayList<>();
        logs = new ArrayList<>();
        agents = new ArrayList<>();
        neighbours.clear();
        link.breaks();
        dying = false;
        for (int shard = 0; shard < shards; shard++) {
            inboxes.add(null);
            logs.add(null);
            agents.add(null);
            neighbours.add(null);
        }
        for (int shard = 0; shard < shards; shard++) {
            make(shard);
        }
        agents.forEach(TestNode::start);
    }

    private void make(int shard) {
        ListInbox<ShardRequest> inbox = new ListInbox<>();
        ManualLog log = new ManualLog(media.get(shard), clock);
        inboxes.set(shard, inbox);
        logs.set(shard, log);
        neighbours.set(
                shard,
                far
                        ? new FarShards(shard, shards, clock, link::carry, FarShards.Groups.UNKNOWN) {
                            @Override
                            public void leave(int to, ShardMessage message) {
                                if (hears(to)) {
                                    isSaid(message);
                                }
                                super.leave(to, message);
                            }
                        }
                        : new Others(shard));
        agents.set(
                shard,
                new ShardAgent(
                        new ShardPlace(shard, neighbours.get(shard), shard),
                        config(BrokerConfig.class),
                        clock,
                        log,
                        new ShardAgent.Metadata(stores.get(shard), config(MetadataConfig.class)),
                        inbox));
    }

    private static void start(ShardAgent agent) {
        try {
            agent.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Another node leads a shard from here on, with all that was committed, and maybe some of what was only written; the others lead on.
     * What clients had with it is gone, for them to notice.
     */
    public TestNode failsOver(int shard) {
        // One that has just begun has not been handed all of it yet.
        long committed = Math.max(
                committedByShard.getOrDefault(shard, 0L), logs.get(shard).committedIndex());
        committedByShard.put(shard, committed);
        media.get(shard).keepUpTo(committed + random.nextInt(3));
        make(shard);
        start(agents.get(shard));
        return this;
    }

    /** All that shards have on their way to each other is lost. */
    public TestNode breaksLinks() {
        link.breaks();
        return this;
    }

    private <T extends Record> T config(Class<T> type) {
        return SettingsBinder.of(
                        new SettingsCatalog(Map.of("broker", BrokerConfig.class, "metadata", MetadataConfig.class)))
                .overrides(settings)
                .build()
                .bind(type);
    }

    private final class Others implements Neighbours {
        private final int self;

        Others(int self) {
            this.self = self;
        }

        @Override
        public int shards() {
            return shards;
        }

        @Override
        public int replicas(int shard) {
            return shard < replicas.length ? replicas[shard] : 0;
        }

        @Override
        public void leave(int to, ShardMessage message) {
            isSaid(message);
            inboxes.get(to).put(new ShardRequest.FromShard(self, message));
        }

        @Override
        public void wake(int to) {
            inboxes.get(to).wake();
        }
    }

    private void isSaid(ShardMessage message) {
        told.add(message);
        if (fatal.test(message)) {
            dying = true;
        }
    }

    /** What shards have said to each other so far. */
    public List<ShardMessage> told() {
        return told;
    }

    /** The node is to be killed by {@link #step} when a shard has said this. */
    public TestNode dyingAt(Predicate<ShardMessage> message) {
        fatal = message;
        return this;
    }

    /** It does not die after all. */
    public void lives() {
        dying = false;
    }

    /** Whether it is time to kill it. */
    public boolean isDying() {
        return dying;
    }

    // ---- running ---------------------------------------------------------------------------------------------------

    /** Lets some shard work once; false where none has anything to do, or the node is dying. */
    public boolean step() {
        if (!dying && !link.isEmpty() && random.nextInt(4) == 0) {
            link.pass(this::arrives);
        }
        int first = random.nextInt(shards);
        for (int i = 0; i < shards && !dying; i++) {
            int shard = (first + i) % shards;
            if (shard == sleeping) {
                continue;
            }
            if (shard == unsynced || lazyDisks && random.nextInt(3) > 0) {
                logs.get(shard).holdSyncs();
            } else {
                logs.get(shard).flow();
            }
            if (agents.get(shard).doWork() > 0) {
                return true;
            }
        }
        if (dying || link.isEmpty()) {
            return false;
        }
        link.pass(this::arrives);
        return true;
    }

    private void arrives(int shard, ByteBuffer frame) {
        inboxes.get(shard).offer(new ShardRequest.FromAfar(frame));
    }

    /** Until nothing is left to do, or the node is dying. */
    public TestNode run() {
        boolean lazy = lazyDisks;
        int pauses = 0;
        for (int steps = 0; steps < STEPS_MAX; steps++) {
            if (!step()) {
                lazyDisks = false;
                boolean rests = dying || !step();
                lazyDisks = lazy;
                if (rests && (dying || areHeard() || ++pauses > PAUSES_MAX)) {
                    return this;
                } else if (rests) {
                    clock.advance(PAUSE);
                }
            }
        }
        throw new AssertionError("the shards do not come to rest");
    }

    /** Whether no shard has said what another one has not heard. */
    private boolean areHeard() {
        return !far || neighbours.stream().allMatch(others -> others.deadlineNanos() == Long.MAX_VALUE);
    }

    /** Time goes by, and what became due is done. */
    public TestNode passes(Duration time) {
        clock.advance(time);
        return run();
    }

    void takes(NodeClient client, Frame frame) {
        int shard = frame.payload() instanceof ForShard addressed ? addressed.shard() : ForShard.CATALOGUE;
        inboxes.get(shard).offer(new ShardRequest.FromClient(client, frame));
    }

    /** An operator asks the shard with the catalogue; nothing happens yet. */
    public <A> CompletableFuture<A> operatorSays(OperatorRequest<A> request) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        inboxes.get(ForShard.CATALOGUE).offer(new ShardRequest.FromOperator<>(request, answer));
        return answer;
    }

    void loses(NodeClient client, boolean clean) {
        for (int shard = shards - 1; shard >= 0; shard--) {
            inboxes.get(shard).offer(new ShardRequest.Disconnected(client, clean));
        }
    }

    /** An operator asks a shard. */
    public <A> CompletableFuture<A> asks(int shard, OperatorRequest<A> request) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        inboxes.get(shard).offer(new ShardRequest.FromOperator<>(request, answer));
        return answer;
    }

    public NodeClient aClient() {
        return aClient(null);
    }

    public NodeClient aClient(String clientId) {
        NodeClient client = new NodeClient(this, ++lastConnection, clientId);
        clients.add(client);
        return client;
    }

    public ShardImage image(int shard) {
        return agents.get(shard).image();
    }

    public MemoryStore store(int shard) {
        return stores.get(shard);
    }

    /** The first shard says something to another. */
    public TestNode tells(int shard, ShardMessage message) {
        inboxes.get(shard).offer(new ShardRequest.FromShard(ForShard.CATALOGUE, message));
        return run();
    }

    public ManualLog log(int shard) {
        return logs.get(shard);
    }

    /** Whether all that concerns several shards is as it was decided. */
    public boolean isSettled() {
        return agents.stream().allMatch(agent -> agent.settled().isDone());
    }

    // ---- dying -----------------------------------------------------------------------------------------------------

    /** Ends cleanly and starts again. */
    public TestNode restarts() {
        agents.forEach(ShardAgent::onClose);
        return again();
    }

    /** Ends cleanly and starts again with more shards. */
    public TestNode restartsWithShards(int more) {
        agents.forEach(ShardAgent::onClose);
        for (; shards < more; shards++) {
            media.add(new LogMedium());
            stores.add(new MemoryStore(shards));
        }
        return again();
    }

    /** The process dies and starts again: what was not written is lost. */
    public TestNode isKilledAndRestarts() {
        media.forEach(LogMedium::loseUnwritten);
        return again();
    }

    /** The machine dies and starts again: what was not synced is lost. */
    public TestNode losesPowerAndRestarts() {
        media.forEach(LogMedium::loseUnsynced);
        return again();
    }

    /** The process dies and starts again, and is to be killed when a shard has said this. */
    public TestNode startsDyingAt(Predicate<ShardMessage> message) {
        media.forEach(LogMedium::loseUnwritten);
        fatal = message;
        clients.forEach(NodeClient::cut);
        clients.clear();
        return started();
    }

    private TestNode again() {
        fatal = message -> false;
        clients.forEach(NodeClient::cut);
        clients.clear();
        return started();
    }
}
