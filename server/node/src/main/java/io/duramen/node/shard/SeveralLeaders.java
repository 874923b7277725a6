package io.duramen.node.shard;

import io.duramen.node.relay.Crossings;
import io.duramen.protocol.frame.ForShard;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Each shard is led by a node of its own, and serves clients of all nodes once it has settled what concerns several. Where this node leads one no
 * more, those of its connections end that had to do with it, and it alone begins anew. Clients are let in while this node reaches whoever leads
 * each shard, itself or others.
 */
final class SeveralLeaders extends Succession {
    private static final Logger LOG = LoggerFactory.getLogger(SeveralLeaders.class);

    /** A shard that too few of its nodes answer for, for so many election timeouts, holds up no clients any more. */
    private static final int TIMEOUTS_GONE = 10;

    private final Crossings crossings;
    private final LoadMeter meter;
    private final Spreading spreading;

    /** Since when nobody can lead them, by shard. */
    private final Map<Integer, Long> missedSinceNanos = new HashMap<>();

    /** Those of which it was told that they are refused. */
    private final Set<Integer> refused = new HashSet<>();

    private List<Optional<String>> known = List.of();
    private boolean open;

    SeveralLeaders(Clients clients, Leaderships leaderships, Next next, Crossings crossings, LoadMeter meter) {
        super(clients, leaderships, next);
        this.crossings = crossings;
        this.meter = meter;
        this.spreading =
                new Spreading(leaderships.self(), leaderships.electionTimeout().toNanos(), leaderships::canTake);
    }

    @Override
    void look() {
        haveWhatIsDue();
        List<Optional<String>> leaders = leaders();
        for (int shard = 0; shard < known.size(); shard++) {
            if (known.get(shard).isPresent() && !known.get(shard).equals(leaders.get(shard))) {
                crossings.leaderChanges(shard);
            }
        }
        known = leaders;
        long now = System.nanoTime();
        List<String> nodes = leaderships.voters();
        List<OptionalLong> loads = meter.look(leaders, leaderships.self(), nodes, now);
        if (isBroken()) {
            give(leaders);
        } else {
            lead();
            spreading.toHandOn(leaders, nodes, loads, now).ifPresent(due -> {
                LOG.info("Shard {} is handed on to {}, which has less to do", due.shard(), due.to());
                leaderships.handOn(due.shard(), Optional.of(due.to()));
            });
        }
        letIn();
    }

    private void lead() {
        for (int shard = 0; shard < shards(); shard++) {
            ShardHost host = host(shard);
            if (host.isElected() && !host.over().isDone()) {
                host.lead();
            }
        }
    }

    /** A node with a broken shard leads nothing. */
    private void give(List<Optional<String>> leaders) {
        for (int shard = 0; shard < shards(); shard++) {
            if (leaders.get(shard).equals(Optional.of(leaderships.self()))) {
                leaderships.handOn(shard, Optional.empty());
            }
        }
    }

    /** While this node reaches shard 0, and the others, but for those that nobody can lead, for long: what is asked of these is refused. */
    private void letIn() {
        boolean reached = true;
        for (int shard = 0; shard < shards(); shard++) {
            boolean here = crossings.isReached(shard);
            boolean gone = !here && !leaderships.mayBeLed(shard) && isGone(shard);
            if (here || leaderships.mayBeLed(shard)) {
                missedSinceNanos.remove(shard);
                refused.remove(shard);
            }
            crossings.refuses(shard, gone);
            reached &= here || gone && shard != ForShard.CATALOGUE;
        }
        if (reached) {
            clients.letIn();
        } else {
            clients.admitNone();
        }
        if (reached != open) {
            LOG.info(
                    reached
                            ? "Clients are let in: this node reaches whoever leads each shard"
                            : "Clients are not let in: this node does not reach a leader of each shard");
        }
        open = reached;
    }

    /** Whether it is long since somebody could lead a shard. */
    private boolean isGone(int shard) {
        long now = System.nanoTime();
        long since = missedSinceNanos.computeIfAbsent(shard, first -> now);
        boolean gone =
                now - since >= TIMEOUTS_GONE * leaderships.electionTimeout().toNanos();
        if (gone && refused.add(shard)) {
            LOG.warn(
                    "Too few of the nodes that shard {} is on answer: what clients ask of it is refused until it has a leader",
                    shard);
        }
        return gone;
    }

    @Override
    void settled(int shard, ShardHost settled) {
        if (settled == host(shard) && !settled.over().isDone()) {
            crossings.leads(shard, settled.epoch());
            LOG.info("This node leads shard {}", shard);
            letIn();
        }
    }

    @Override
    void ended(int shard, boolean breaks) {
        clients.cut(crossings.leadsNoMore(shard));
        letIn();
        if (breaks) {
            leaderships.leadNoMore();
        } else {
            replace(List.of(shard));
        }
    }
}
