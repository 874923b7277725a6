package io.duramen.node.cluster;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators ask this node of shards that other nodes lead, where each leads some: it asks these, and does what they ask of those that it
 * leads. From any thread.
 */
final class LeaderRequests implements ClusterChanges.Leaders, AutoCloseable {
    // What is asked, on the wire. Never reused.
    private static final byte CHANGE = 1;
    private static final byte HAND_ON = 2;
    private static final byte STANDINGS = 3;

    /** Of an answer to CHANGE: whether there was something to do. */
    private static final byte NOTHING = 0;

    private static final byte DONE = 1;

    private static final Logger LOG = LoggerFactory.getLogger(LeaderRequests.class);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** How long who leads is waited for to tell how its shards stand. */
    private static final Duration STANDINGS_MAX = Duration.ofSeconds(1);

    /** Under this number a node tells what it leads. */
    private static final byte LEADS = NodeRequests.FIRST + 3;

    /** So often it does in an election timeout. */
    private static final int LEADS_PER_TIMEOUT = 5;

    /** So often in so many election timeouts a node asks which shards it is to have. */
    private static final int TIMEOUTS_BETWEEN_LOOKS = 2;

    private final Handover handover;
    private final NodeRequests.Way way;
    private final NodeRequests requests;
    private long toldNanos;
    private long askedNanos;

    /** @param way to the other nodes, which {@link #told} hears */
    LeaderRequests(Handover handover, NodeRequests.Way way) {
        this.handover = handover;
        this.way = way;
        this.requests = new NodeRequests(way, this::handle);
        this.toldNanos = System.nanoTime() - handover.electionTimeout().toNanos();
        this.askedNanos = System.nanoTime();
    }

    /** What another node tells; does not wait. */
    void told(String node, byte number, byte[] content) {
        if (number != LEADS) {
            requests.told(node, number, ByteBuffer.wrap(content));
            return;
        }
        try {
            handover.knownLeaders().heard(node, ByteBuffer.wrap(content), System.nanoTime());
        } catch (IllegalArgumentException | BufferUnderflowException e) {
            LOG.error("What a node tells makes no sense here: {}", e.getMessage());
        }
    }

    /**
     * Tells the others what this node leads, and asks them which shards it is to have, each as often as it is due. To be called some times in an
     * election timeout, by one thread; waits for no node, and for the disk where it is news who decides in a shard that this node has not.
     */
    void lookAround() {
        long now = System.nanoTime();
        long timeout = handover.electionTimeout().toNanos();
        if (now - toldNanos >= timeout / LEADS_PER_TIMEOUT) {
            toldNanos = now;
            tellLeads();
        }
        if (now - askedNanos >= TIMEOUTS_BETWEEN_LOOKS * timeout && handover.mayHaveOtherShards()) {
            askedNanos = now;
            handover.rememberVoters();
            handover.others().forEach(node -> standingsOf(node).thenAccept(all -> heed(node, all)));
        }
    }

    private void tellLeads() {
        List<LocalReplica> led = handover.led();
        if (led.isEmpty()) {
            return;
        }
        byte[] content = KnownLeaders.encode(led.stream()
                .map(replica ->
                        new KnownLeaders.Led(replica.shard(), replica.epoch(), handover.votersIn(replica.shard())))
                .toList());
        handover.others().forEach(node -> way.tell(node, LEADS, content));
    }

    private void heed(String node, List<ShardStanding> all) {
        if (!handover.belongsToCluster()) {
            return;
        }
        all.stream()
                .filter(handover::isShard)
                .forEach(standing -> handover.holdings()
                        .said(
                                node,
                                standing,
                                handover.replicas().get(standing.shard()).epoch()));
    }

    private CompletableFuture<List<ShardStanding>> standingsOf(String node) {
        return requests.ask(node, STANDINGS, new byte[0], handover.electionTimeout())
                .handle((answer, failure) -> failure == null ? decoded(node, answer) : List.of());
    }

    /**
     * Waits until it is known of a shard that is led.
     *
     * @return whether this node belongs to its group; empty where nobody that leads it answers, or that is being decided
     */
    Optional<Boolean> belongsTo(int shard) {
        return handover.others().stream()
                .flatMap(node -> standingsOf(node).join().stream()
                        .filter(standing ->
                                standing.shard() == shard && standing.leader().equals(Optional.of(node))))
                .filter(standing -> standing.has(handover.self()) || standing.isDecided())
                .map(standing -> standing.has(handover.self()))
                .findFirst();
    }

    // ---- what is asked of others -----------------------------------------------------------------------------------

    /** Asks again for a while where somebody else leads by then. */
    @Override
    public Optional<String> change(int shard, MemberChange change, boolean anyway) {
        long beganNanos = System.nanoTime();
        while (true) {
            try {
                return attempt(shard, change, anyway);
            } catch (ProtocolException e) {
                if (e.code() != ErrorCode.NOT_LEADER
                        || System.nanoTime() - beganNanos
                                > handover.changes().patience().toNanos()) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private Optional<String> attempt(int shard, MemberChange change, boolean anyway) {
        String leader = leader(shard);
        boolean leaves = change.added().isEmpty() && change.removed().equals(Optional.of(leader));
        if (leaves && handover.votersIn(shard).size() > 1) {
            leader = another(shard, leader);
        }
        if (leader.equals(handover.self())) {
            return handover.changes().change(shard, change, anyway);
        }
        byte[] encoded = change.encode();
        ByteBuffer content = ByteBuffer.allocate(Integer.BYTES + 1 + encoded.length)
                .putInt(shard)
                .put((byte) (anyway ? 1 : 0))
                .put(encoded);
        ByteBuffer answer = ask(leader, CHANGE, content.array());
        return answer.get() == NOTHING
                ? Optional.empty()
                : Optional.of(StandardCharsets.UTF_8.decode(answer).toString());
    }

    @Override
    public ClusterChanges.Left leave() {
        throw new ProtocolException(
                ErrorCode.INVALID_REQUEST,
                "this node cannot remove itself where several nodes lead: ask another one to remove it");
    }

    private String leader(int shard) {
        return handover.leader(shard)
                .orElseThrow(() -> new ProtocolException(
                        ErrorCode.NOT_LEADER, "shard " + shard + " has no leader that this node knows of"));
    }

    /** Has a shard's leader hand it on; waits until another leads. */
    private String another(int shard, String leader) {
        if (leader.equals(handover.self())) {
            handover.handOn(shard, Optional.empty());
        } else {
            ask(
                    leader,
                    HAND_ON,
                    ByteBuffer.allocate(Integer.BYTES).putInt(shard).array());
        }
        long beganNanos = System.nanoTime();
        while (System.nanoTime() - beganNanos < handover.changes().patience().toNanos()) {
            Optional<String> next = handover.leader(shard).filter(name -> !name.equals(leader));
            if (next.isPresent()) {
                return next.get();
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new ProtocolException(
                ErrorCode.INVALID_REQUEST,
                "node " + leader + " leads shard " + shard + ", and has not handed it on: are others in sync?");
    }

    private ByteBuffer ask(String node, byte kind, byte[] content) {
        Duration patience = handover.changes().patience().plus(handover.electionTimeout());
        return NodeRequests.await(node, requests.ask(node, kind, content, patience));
    }

    /** How all shards stand: as those say that lead them, and where one does not answer at once, as this node knows it. */
    List<ShardStanding> standings() {
        List<ShardStanding> known = handover.standings(handover.replicas());
        Duration patience =
                STANDINGS_MAX.compareTo(handover.electionTimeout()) < 0 ? STANDINGS_MAX : handover.electionTimeout();
        Map<String, CompletableFuture<ByteBuffer>> asked = new HashMap<>();
        known.stream()
                .flatMap(standing -> standing.leader().stream())
                .filter(leader -> !leader.equals(handover.self()))
                .distinct()
                .forEach(leader -> asked.put(leader, requests.ask(leader, STANDINGS, new byte[0], patience)));
        List<ShardStanding> all = new ArrayList<>(known);
        asked.forEach((node, answer) -> {
            for (ShardStanding said : standings(node, answer)) {
                if (handover.isShard(said)
                        && said.epoch() >= all.get(said.shard()).epoch()) {
                    all.set(said.shard(), said);
                }
            }
        });
        return all;
    }

    private static List<ShardStanding> standings(String node, CompletableFuture<ByteBuffer> answer) {
        try {
            return decoded(node, NodeRequests.await(node, answer));
        } catch (ProtocolException e) {
            LOG.debug("How the shards stand that node {} leads is not known: {}", node, e.getMessage());
            return List.of();
        }
    }

    private static List<ShardStanding> decoded(String node, ByteBuffer answer) {
        try {
            return ShardStanding.decode(answer);
        } catch (IllegalArgumentException | BufferUnderflowException e) {
            LOG.error("Node {} tells what this one does not understand: {}", node, e.getMessage());
            return List.of();
        }
    }

    // ---- what others ask -------------------------------------------------------------------------------------------

    private byte[] handle(byte kind, ByteBuffer content) {
        return switch (kind) {
            case CHANGE -> change(content);
            case HAND_ON -> {
                handover.handOn(led(content), Optional.empty());
                yield new byte[0];
            }
            case STANDINGS -> ShardStanding.encode(handover.standings(handover.led()));
            default -> throw new ProtocolException(ErrorCode.UNSUPPORTED, "nothing is asked under number " + kind);
        };
    }

    private byte[] change(ByteBuffer content) {
        int shard = led(content);
        boolean anyway = content.get() != 0;
        MemberChange change = MemberChange.decode(content);
        Optional<String> done = handover.changes().change(shard, change, anyway);
        byte[] outcome = done.orElse("").getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + outcome.length)
                .put(done.isPresent() ? DONE : NOTHING)
                .put(outcome)
                .array();
    }

    /** A shard that this node leads. */
    private int led(ByteBuffer content) {
        int shard = content.getInt();
        if (handover.led().stream().noneMatch(replica -> replica.shard() == shard)) {
            throw new ProtocolException(
                    ErrorCode.NOT_LEADER, "node " + handover.self() + " does not lead shard " + shard + " any more");
        }
        return shard;
    }

    /** Who waits for an answer is refused. */
    @Override
    public void close() {
        requests.close();
    }
}
