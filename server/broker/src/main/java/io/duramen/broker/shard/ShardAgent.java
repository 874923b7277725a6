package io.duramen.broker.shard;

import io.duramen.broker.BrokerConfig;
import io.duramen.broker.MetadataConfig;
import io.duramen.broker.destination.Placement;
import io.duramen.broker.shard.ShardCounters.Counter;
import io.duramen.broker.subscription.ChunkBudget;
import io.duramen.broker.subscription.DeliveryBuffer;
import io.duramen.broker.subscription.DispatchContext;
import io.duramen.broker.subscription.Holdings;
import io.duramen.broker.subscription.IndexBudget;
import io.duramen.broker.subscription.Looks;
import io.duramen.broker.subscription.Recalls;
import io.duramen.broker.subscription.Turns;
import io.duramen.metadata.MetadataStore;
import io.duramen.metadata.ShardImage;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Frame;
import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.ProtocolException;
import io.duramen.replication.CommittedEntry;
import io.duramen.replication.ReplicatedLog;
import io.duramen.runtime.Clock;
import io.duramen.runtime.agent.Agent;
import io.duramen.runtime.agent.Inbox;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.collections.Long2ObjectHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns a shard and everything in it; all of it is touched by this agent's thread alone. Others hand it frames through
 * its inbox and are answered through {@link ClientConnection#send}.
 *
 * <p>It lives for one leadership at most. Until it leads it follows: it replays what is committed, keeps the state, and refuses
 * whatever is asked. When it leads no more it is {@link #over}: all that only a leader has dies with it, and another agent
 * begins from the state that this one stores when it is closed.
 */
public final class ShardAgent implements Agent, ReplicatedLog.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(ShardAgent.class);

    private static final int FRAMES_PER_CYCLE_MAX = 256;
    private static final long SLEEP_MILLIS_MAX = 10_000;

    private final int shard;
    private final ShardPlace place;
    private final BrokerConfig config;
    private final Clock clock;
    private final ReplicatedLog log;
    private final Inbox<ShardRequest> inbox;
    private final Consumer<ShardRequest> handler = this::handle;

    private final Looks looks = new Looks();
    private final ShardState state;
    private final Replay replay;
    private final Appender appender;
    private final StateKeeping keeping;
    private final DestinationDecisions destinations;
    private final SettleDecisions settling;
    private final ConsumerDecisions consumers;
    private final BrowseDecisions browsing;
    private final BodyDecisions bodies;
    private final FetchDecisions fetching;
    private final Routes routes;
    private final ShardTalk talk;
    private final Recalls recalls;
    private final HalfChecks checks;
    private final WaitingSenders waiting;
    private final OperatorDecisions operators;
    private final ShardCounters counters;

    private final Long2ObjectHashMap<ConnectionState> connections = new Long2ObjectHashMap<>();
    private final Turns turns = new Turns();
    private final CompletableFuture<Void> leading = new CompletableFuture<>();
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    /** Set while the agent works: an exception that ends it leaves requests and entries half done. */
    private boolean halfDone;

    /** Set once it has led and leads no more. */
    private boolean deposed;

    /** Where the shard's state is kept beside its log, and how often. */
    public record Metadata(MetadataStore store, MetadataConfig config) {}

    public ShardAgent(
            ShardPlace place,
            BrokerConfig config,
            Clock clock,
            ReplicatedLog log,
            Metadata metadata,
            Inbox<ShardRequest> inbox) {
        this.place = place;
        this.shard = place.shard();
        this.counters = place.counters();
        this.config = config;
        this.clock = clock;
        this.log = log;
        this.inbox = inbox;
        recalls = new Recalls(config.recallAfter().toNanos());
        state = new ShardState(place, config, context());
        replay = new Replay(state);
        appender = new Appender(
                shard, log, clock, config.settlementLinger(), state.branches::sizeBytes, state.format::level);
        keeping = new StateKeeping(shard, metadata, clock, log, state);
        Definitions definitions = new Definitions(place, state, clock);
        Changes changes = new Changes(appender, definitions);
        Selecting selecting = new Selecting(config);
        destinations = destinations(definitions, changes);
        settling = settling();
        consumers = new ConsumerDecisions(
                state,
                appender,
                changes,
                destinations,
                settling,
                new ConsumerDecisions.Limits(config.subscriptionsMax(), config.leasesMax(), selecting));
        bodies = new BodyDecisions(state, appender, clock, config);
        fetching = new FetchDecisions(state, destinations, log);
        browsing = new BrowseDecisions(state, destinations, selecting, appender, clock);
        checks = new HalfChecks(state, appender, clock, bodies, destinations, config);
        waiting = new WaitingSenders(state, clock);
        Asides asides = new Asides(place.others(), appender::isBusy, clock, config.settlementLinger());
        SpanningDecisions spanning = new SpanningDecisions(place, state, appender, settling, asides, clock);
        routes = routes(spanning);
        operators = new OperatorDecisions(
                state,
                destinations,
                routes.branches(),
                new OperatorSweeps(state, appender, selecting, counters, spanning, settling),
                new OperatorMessages(state, appender, selecting, settling, clock),
                new OperatorDecisions.OfDefinitions(
                        new PauseDecisions(state, appender, changes, definitions),
                        new SettingDecisions(state, appender, changes, definitions, config),
                        new SeekDecisions(state, appender, changes),
                        new ConsumerEndings(connections::get, consumers, appender),
                        new FormatDecisions(state, appender)));
        talk = talk(spanning, routes.branches(), asides);
        talk.settled().thenRun(destinations::expectOwners);
    }

    private SettleDecisions settling() {
        Seldom seldom = new Seldom(clock);
        MoveTargets targets = new MoveTargets(state, destinations, appender, seldom);
        return new SettleDecisions(
                appender,
                new ExpiredMoves(config.expiryDestination(), targets),
                new DeadLetters(state.dispatchContext().redelivery(), targets, clock, seldom),
                clock,
                2 * config.leasesMax());
    }

    /** Once everything else is there. */
    private Routes routes(SpanningDecisions spanning) {
        IdentityDecisions identities = new IdentityDecisions(state, appender, clock);
        DedupDecisions dedup = new DedupDecisions(state, appender, bodies, clock);
        PublishDecisions publishing = new PublishDecisions(
                state,
                appender,
                settling,
                dedup,
                new PublishDecisions.Transactions(identities, spanning, config.producersMax()),
                waiting);
        BranchDecisions branches = new BranchDecisions(
                state,
                appender,
                publishing,
                settling,
                spanning,
                config.preparedSize().count());
        HalfDecisions halves = new HalfDecisions(
                state, appender, publishing, bodies, checks, config.halfSize().count());
        return new Routes(
                publishing,
                branches,
                settling,
                consumers,
                destinations,
                browsing,
                bodies,
                fetching,
                identities,
                halves,
                checks,
                dedup,
                new ClaimedIds());
    }

    private DispatchContext context() {
        return new DispatchContext(
                shard,
                log,
                limits(config),
                new DeliveryBuffer(),
                new ChunkBudget(),
                recalls,
                new IndexBudget(config.indexMessages()),
                looks,
                turns,
                config.redeliveryPolicies());
    }

    private DestinationDecisions destinations(Definitions definitions, Changes changes) {
        Placement placement = new Placement(
                place.shards(),
                config.partitions(),
                new Placement.ByName(config.partitionsOf(), config.replicasOf(), config.dedicated()));
        return new DestinationDecisions(
                new DestinationDecisions.Places(place, placement, definitions),
                config,
                clock,
                state,
                appender,
                changes);
    }

    private ShardTalk talk(SpanningDecisions spanning, BranchDecisions branches, Asides asides) {
        return new ShardTalk(
                spanning,
                new PartDecisions(asides, state, appender, branches, settling, clock),
                new ShardTalk.OfDefinitions(
                        destinations, new FollowedDefinitions(place, state, appender, clock), appender),
                place.others(),
                asides,
                this::known);
    }

    private static DispatchContext.Limits limits(BrokerConfig config) {
        return new DispatchContext.Limits(
                config.deliverSize().toIntExact(),
                config.leasesMax(),
                config.window(),
                config.timersMax(),
                config.groupsMax(),
                config.groupStall().toMillis(),
                config.expiryInterval().toMillis(),
                !config.expiryDestination().isEmpty());
    }

    /**
     * Loads the state that was stored last and opens the log behind it, blocking; before the first {@link #doWork}, which replays the
     * rest.
     *
     * @throws IOException where state or log cannot be read
     */
    public void start() throws IOException {
        keeping.load();
        log.start(state.appliedIndex, this);
    }

    /** Completed, on the agent's thread, once the shard has replayed its log and takes requests. */
    public CompletableFuture<Void> leading() {
        return leading;
    }

    /**
     * Completed, on the agent's thread, once that is so and what concerned other shards too when the node ended is as it was
     * decided: their definitions follow the catalogue, and what was prepared and not decided is dropped.
     */
    public CompletableFuture<Void> settled() {
        return talk.settled();
    }

    /**
     * Completed, on the agent's thread, once the shard has led and leads no more, or once another's log and state take the place of its
     * own: from then on requests are neither decided nor
     * answered, since whether what waits was committed is for the next leader to say; the clients are to be sent away, and the
     * agent is to be closed. Fails once its log has stopped: then whatever would change something is refused.
     */
    public CompletableFuture<Void> over() {
        return over;
    }

    /** The hard state as it stands; for tests, on the agent's thread. */
    public ShardImage image() {
        return state.toImage();
    }

    /** How far what is kept of the state beside the log lies behind, and why; on the agent's thread. */
    public StateKept stateKept() {
        return keeping.stateKept();
    }

    /** What looking at messages has cost since the start; on the agent's thread. */
    public Looks looks() {
        return looks;
    }

    /** How many messages were moved to other queues since the start; on the agent's thread. */
    public MoveCounts moveCounts() {
        return settling.moveCounts();
    }

    /** How the shard stands; from any thread. */
    public ShardCounters counters() {
        return counters;
    }

    /** What the subscription of a queue keeps in memory; for tests, on the agent's thread. */
    public Holdings holdings(String queue) {
        return state.subscriptions.ofQueue(queue).holdings();
    }

    @Override
    public String name() {
        return "shard-" + shard;
    }

    @Override
    public int doWork() {
        halfDone = true;
        int work = log.poll();
        if (serves()) {
            work += serve();
        } else if (!deposed) {
            work += inbox.drain(handler, FRAMES_PER_CYCLE_MAX); // refused, all of them
        }
        work += keeping.doWork();
        halfDone = false;
        if (work > 0) {
            publish();
        }
        return work;
    }

    /** Whether it leads, and takes requests. */
    private boolean serves() {
        return leading.isDone() && !deposed;
    }

    private int serve() {
        appender.tellWritten();
        appender.kept(log.keptIndex());
        int work = 0;
        int frames = 0;
        while (frames < FRAMES_PER_CYCLE_MAX && mayTake() && inbox.drain(handler, 1) > 0) {
            frames++;
        }
        work += frames;
        work += destinations.expireOrphans();
        work += bodies.dropOrphans();
        work += checks.doWork();
        work += waiting.doWork();
        work += talk.doWork();
        work += appender.flush();
        work += dispatch();
        work += browsing.doWork();
        work += fetching.doWork();
        work += operators.doWork();
        work += recalls.doWork(clock);
        work += appender.flush();
        work += talk.flush();
        return work;
    }

    private void publish() {
        counters.set(Counter.DESTINATIONS, state.catalogue.size());
        counters.set(Counter.DURABLE_SUBSCRIPTIONS, state.subscriptions.namedDurables());
        counters.set(Counter.CONNECTIONS, connections.size());
        counters.set(Counter.PREPARED_BRANCHES, state.branches.all().size());
        counters.set(Counter.MESSAGES_STORED, state.stored);
        counters.set(Counter.MESSAGES_SETTLED, state.settled);
        counters.set(Counter.UNCOMMITTED_BYTES, appender.uncommittedBytes());
        counters.set(Counter.LEADING, serves() ? 1 : 0);
        counters.set(Counter.FORMAT_LEVEL, state.format.level());
        counters.set(settling.moveCounts());
        counters.set(log.status());
    }

    /** Nothing where another node may lead by now: what is answered without an entry would be as of before. */
    private boolean mayTake() {
        return !mayBeDeposed()
                && appender.uncommittedBytes() + appender.openBytes()
                        < config.uncommittedMax().count();
    }

    private int dispatch() {
        if (!talk.isSettled() || mayBeDeposed()) {
            return 0;
        }
        long now = clock.millis();
        turns.wake(now, clock.nanos());
        int taken = 0;
        int handedOut = 0;
        boolean stopped = !log.isWritable();
        for (int i = turns.count(); i > 0; i--) {
            if (stopped) {
                turns.take().endDrains();
            } else {
                taken++;
                handedOut += turns.take().dispatch(now, settling);
            }
        }
        counters.add(Counter.MESSAGES_HANDED_OUT, handedOut);
        return taken + handedOut;
    }

    /** Whether another node may hand out the same, and know better, by now, while this one has not heard of it. */
    private boolean mayBeDeposed() {
        return !log.isLeased() && log.isWritable();
    }

    @Override
    public long deadlineNanos() {
        if (!serves()) {
            return Math.min(log.deadlineNanos(), keeping.deadlineNanos());
        }
        long deadline = Math.min(
                Math.min(recalls.deadlineNanos(), Math.min(log.deadlineNanos(), appender.deadlineNanos())),
                Math.min(
                        Math.min(Math.min(destinations.deadlineNanos(), talk.deadlineNanos()), bodies.deadlineNanos()),
                        Math.min(waiting.deadlineNanos(), Math.min(checks.deadlineNanos(), keeping.deadlineNanos()))));
        long next = turns.nextMillis();
        if (next == Long.MAX_VALUE || mayBeDeposed()) {
            return deadline;
        }
        // Not slept through in one go: the clock that people see may jump.
        long millis = Math.max(0, Math.min(next - clock.millis(), SLEEP_MILLIS_MAX));
        return Math.min(deadline, clock.nanos() + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /**
     * Syncs and closes the log, and stores the state, so that the next start has nothing to replay. After a
     * {@link #doWork} that threw, what was not appended yet is dropped and no state is stored: it may be half a request,
     * or the effects of half an entry.
     */
    @Override
    public void onClose() {
        if (halfDone) {
            log.close();
            return;
        }
        appender.flushAll();
        log.close();
        keeping.storeLast();
    }

    private void handle(ShardRequest request) {
        if (request instanceof ShardRequest.FromClient from) {
            ConnectionState connection = connections.get(from.connection().id());
            if (connection == null) {
                connection = new ConnectionState(from.connection());
                connections.put(from.connection().id(), connection);
            }
            decide(connection, from.frame());
            from.connection().handled(from.frame());
            flushWhenFull();
        } else if (request instanceof ShardRequest.Disconnected gone) {
            ConnectionState connection = connections.remove(gone.connection().id());
            if (connection != null) {
                connection.end();
                consumers.disconnected(connection, gone.clean());
                destinations.disconnected(connection, gone.clean());
                bodies.disconnected(connection, gone.clean());
                checks.disconnected(connection);
                waiting.disconnected(gone.connection());
                routes.claimed().disconnected(connection);
            }
        } else if (request instanceof ShardRequest.FromShard said) {
            talk.handle(said);
            flushWhenFull();
        } else if (request instanceof ShardRequest.FromAfar said) {
            talk.hear(said);
            flushWhenFull();
        } else if (request instanceof ShardRequest.FromOperator<?> asked) {
            operators.decide(asked, leading.isDone());
            flushWhenFull();
        }
    }

    private void flushWhenFull() {
        if (appender.openBytes() >= config.entrySize().count()) {
            appender.flushAll();
        }
    }

    /** What a client has with this shard; where that is nothing, the connection alone, as if it had ended here. */
    private ConnectionState known(ClientConnection connection) {
        ConnectionState known = connections.get(connection.id());
        if (known == null) {
            known = new ConnectionState(connection);
            known.end();
        }
        return known;
    }

    private void decide(ConnectionState connection, Frame frame) {
        Reply reply = Reply.to(connection.connection(), frame);
        try {
            if (frame.kind() != Frame.Kind.REQUEST && frame.kind() != Frame.Kind.PUSH) {
                throw new MalformedFrameException("a client sends no " + frame.kind());
            }
            if (!leading.isDone()) {
                throw new ProtocolException(ErrorCode.NOT_LEADER, "the shard is recovering, or another node leads it");
            }
            routes.route(connection, reply, frame, again(connection, frame));
        } catch (ProtocolException refusal) {
            if (frame.kind() == Frame.Kind.REQUEST) {
                reply.fail(refusal);
            }
        }
    }

    /** Decides a request anew, unless its connection is gone by now. */
    private Runnable again(ConnectionState connection, Frame frame) {
        return () -> {
            if (connections.get(connection.connection().id()) == connection) {
                decide(connection, frame);
            }
        };
    }

    @Override
    public void onCommitted(CommittedEntry entry) {
        replay.replay(entry);
        appender.committed(entry.index());
    }

    @Override
    public void onDurable(long index) {
        keeping.durable(index);
        appender.durable(index);
    }

    @Override
    public void onFollowing(long epoch) {
        LOG.info("Shard {} leads no more: epoch {} has ended", shard, epoch);
        deposed = true;
        appender.forgetAll();
        state.dedup.forgetAppended();
        over.complete(null);
    }

    @Override
    public void onReplaced() {
        LOG.info("Shard {} begins anew with what was copied from another node", shard);
        deposed = true;
        over.complete(null);
    }

    @Override
    public void onLeading(long epoch) {
        if (deposed) {
            return; // The agent after this one will.
        }
        appender.leadFrom(state.appliedIndex);
        state.stored = 0;
        state.settled = 0;
        onDurable(log.status().durableIndex());
        bodies.lead();
        checks.lead();
        talk.lead(epoch, place.hasCatalogue());
        if (place.hasCatalogue()) {
            destinations.spread();
            destinations.grow();
        }
        LOG.info(
                "Shard {} leads with epoch {}: {} destinations, {} durable subscriptions, log applied to {}",
                shard,
                epoch,
                state.catalogue.size(),
                state.subscriptions.namedDurables(),
                state.appliedIndex);
        leading.complete(null);
    }

    @Override
    public void onStopped(IOException cause) {
        LOG.error(
                "Shard {} stops: a write to its log failed and nothing more is accepted. Check the disk, then restart",
                shard,
                cause);
        appender.failAll();
        over.completeExceptionally(cause);
    }
}
