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

    private final Handover handover;
    private final NodeRequests requests;

    /** @param way to the other nodes, which {@link #told} hears */
    LeaderRequests(Handover handover, NodeRequests.Way way) {
        this.handover = handover;
        this.requests = new NodeRequests(way, this::handle);
    }

    /** What another node tells; does not wait. */
    void told(String node, byte number, byte[] content) {
        requests.told(node, number, ByteBuffer.wrap(content));
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
        if (leaves) {
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
        List<ShardStanding> known =
                handover.replicas().stream().map(ShardStanding::of).toList();
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
                if (said.shard() >= 0
                        && said.shard() < all.size()
                        && said.epoch() >= all.get(said.shard()).epoch()) {
                    all.set(said.shard(), said);
                }
            }
        });
        return all;
    }

    private static List<ShardStanding> standings(String node, CompletableFuture<ByteBuffer> answer) {
        try {
            return ShardStanding.decode(NodeRequests.await(node, answer));
        } catch (ProtocolException e) {
            LOG.debug("How the shards stand that node {} leads is not known: {}", node, e.getMessage());
        } catch (IllegalArgumentException | BufferUnderflowException e) {
            LOG.error("Node {} tells what this one does not understand: {}", node, e.getMessage());
        }
        return List.of();
    }

    // ---- what others ask -------------------------------------------------------------------------------------------

    private byte[] handle(byte kind, ByteBuffer content) {
        return switch (kind) {
            case CHANGE -> change(content);
            case HAND_ON -> {
                handover.handOn(led(content), Optional.empty());
                yield new byte[0];
            }
            case STANDINGS ->
                ShardStanding.encode(
                        handover.led().stream().map(ShardStanding::of).toList());
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
