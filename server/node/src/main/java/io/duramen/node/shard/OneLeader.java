package io.duramen.node.shard;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node leads all shards, and serves. Once it leads all of them, with all that was committed before, they
 * are let lead; and once they agree on what concerns several, clients are let in. As soon as it leads one of them no more, clients are
 * sent away, and all agents are closed before what they have said to each other is dropped and others begin:
 * so nothing that only a leader knows is left, and no shard hears of what another said in an earlier time of
 * serving. A shard that was not let has said nothing to anybody: where it follows again, or was replaced by a copy, it alone begins anew.
 */
final class OneLeader extends Succession {
    private static final Logger LOG = LoggerFactory.getLogger(OneLeader.class);

    private Gathering gathering;

    /** Whether the shards were let lead. */
    private boolean leads;

    /** Whether clients were let in since. */
    private boolean serves;

    OneLeader(Clients clients, Leaderships leaderships, Next next) {
        super(clients, leaderships, next);
    }

    private Gathering gathering() {
        if (gathering == null) {
            gathering =
                    new Gathering(leaderships.self(), shards(), leaderships.electionTimeout(), leaderships::canTake);
        }
        return gathering;
    }

    private List<ShardHost> hosts() {
        return IntStream.range(0, shards()).mapToObj(this::host).toList();
    }

    // ---- to lead

    /** Lets the shards lead once all can; until then hands on what another node is to lead. */
    @Override
    void look() {
        if (leads) {
            return;
        }
        List<Optional<String>> leaders = leaders();
        if (isBroken()) {
            give(leaders);
            return;
        }
        for (ShardHost host : hosts()) {
            if (!host.elected().isDone() || host.over().isDone()) {
                Map<Integer, String> due = gathering().toHandOn(leaders, System.nanoTime());
                due.forEach((shard, to) -> {
                    LOG.info("Shard {} is handed on to {}, which is to lead all shards", shard, to);
                    leaderships.handOn(shard, Optional.of(to));
                });
                return;
            }
        }
        leads = true;
        gathering().complete();
        for (ShardHost host : hosts()) {
            host.lead();
        }
    }

    /** A node with a broken shard leads nothing. */
    private void give(List<Optional<String>> leaders) {
        Optional<String> self = Optional.of(leaderships.self());
        for (int shard = 0; shard < shards(); shard++) {
            if (leaders.get(shard).equals(self) && !host(shard).isLost()) {
                leaderships.handOn(
                        shard, leaders.get(0).filter(name -> !leaders.get(0).equals(self)));
            }
        }
    }

    @Override
    void settled(int shard, ShardHost settled) {
        if (!leads || serves) {
            return;
        }
        for (ShardHost host : hosts()) {
            if (!host.settled().isDone() || host.over().isDone()) {
                return;
            }
        }
        serves = true;
        clients.letIn();
        LOG.info("This node leads, and clients are let in");
    }

    // ---- to follow

    @Override
    void ended(int shard, boolean breaks) {
        if (leads) {
            endAll();
        } else if (!breaks) {
            replace(List.of(shard));
        }
    }

    private void endAll() {
        clients.sendAway();
        if (serves) {
            LOG.info("This node leads no more, and clients were sent away");
        }
        serves = false;
        leads = false;
        leaderships.leadNoMore();
        replace(IntStream.range(0, shards())
                .filter(shard -> !host(shard).isLost())
                .boxed()
                .toList());
    }
}
