package io.duramen.jms.branch;

import io.duramen.jms.link.Call;
import io.duramen.jms.link.Link;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.ListBranches;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import javax.transaction.xa.XAException;

/**
 * Thread-safe. The branches that sessions of one connection work for: the resource manager, as a transaction manager sees
 * it. Branches prepared by others are ended through it, too, even once its connection is closed.
 */
public final class Branches {
    /** Says something to the node of the connection, over that or, once it is closed, a new one. */
    public interface Node {
        <T> T ask(Question<T> question) throws JMSException;

        /** Whether the connection is there, so that an answer is to be expected soon. */
        boolean isThere();
    }

    /** Something to be said over a link. */
    @FunctionalInterface
    public interface Question<T> {
        T ask(Link link) throws JMSException;
    }

    /** Most that are known here. Past half of it those go that the node can be asked about. */
    static final int BRANCHES_MAX = 2_000;

    private final Node node;
    private final LongSupplier clock;
    private final Rollbacks rollbacks = new Rollbacks(this);

    /** Guarded by itself; in the order in which they were begun. */
    private final Map<BranchId, Branch> begun = new LinkedHashMap<>();

    /** Shards that list and end branches, as far as they are known here. */
    private final Map<BranchId, Integer> homes = new ConcurrentHashMap<>();

    /** @param clock as {@link System#nanoTime} */
    public Branches(Node node, LongSupplier clock) {
        this.node = node;
        this.clock = clock;
    }

    Node node() {
        return node;
    }

    Rollbacks rollbacks() {
        return rollbacks;
    }

    /** The connection is closed, and with it goes what it held: nothing is said to the node any more but what is asked for. */
    public void close() {
        rollbacks.close();
    }

    /**
     * Begins a branch of which a session is to work for.
     *
     * @param timeoutSeconds 0 for none
     * @throws XAException XAER_DUPID where one of this name has been begun already, XAER_RMERR where there are too many
     */
    Branch begin(BranchId id, int timeoutSeconds) throws XAException {
        synchronized (begun) {
            if (begun.containsKey(id)) {
                throw XaErrors.error(XAException.XAER_DUPID, "branch " + id + " has been started");
            }
            if (begun.size() >= BRANCHES_MAX) {
                throw XaErrors.error(
                        XAException.XAER_RMERR,
                        begun.size()
                                + " branches of the connection were begun and not ended; a transaction timeout ends"
                                + " those that their manager forgets");
            }
            Branch branch = new Branch(id, timeoutSeconds, clock);
            begun.put(id, branch);
            return branch;
        }
    }

    /** @return null where none of this name has been begun here, or is known any more */
    Branch get(BranchId id) {
        synchronized (begun) {
            return begun.get(id);
        }
    }

    /** It has ended, and its consumers owe nothing for it any more. */
    void done(Branch branch) {
        branch.takeAccepted().forEach((owing, settlements) -> settlements.forEach(owing::committed));
        forget(branch);
    }

    void forget(Branch branch) {
        synchronized (begun) {
            begun.remove(branch.id(), branch);
        }
        homes.remove(branch.id());
    }

    /** One whose time is over, claimed for being rolled back: its manager may never come back to it. */
    Optional<Branch> claimOverdue() {
        synchronized (begun) {
            return begun.values().stream().filter(Branch::claimOverdue).findFirst();
        }
    }

    /** One that is rolled back, of which the node could not be told, claimed for being told. */
    Optional<Branch> claimUnsaidRollback() {
        synchronized (begun) {
            return begun.values().stream().filter(Branch::claimUnsaidRollback).findFirst();
        }
    }

    /** Where there are many, the oldest that need not be known here, and is no longer: others may have ended it long ago. */
    Optional<Branch> takeDispensable() {
        synchronized (begun) {
            Iterator<Branch> oldest = begun.values().iterator();
            while (begun.size() > BRANCHES_MAX / 2 && oldest.hasNext()) {
                Branch branch = oldest.next();
                if (branch.isDispensable()) {
                    oldest.remove();
                    return Optional.of(branch);
                }
            }
            return Optional.empty();
        }
    }

    // ---- where branches are ----------------------------------------------------------------------------------------

    /** The branch is about to be prepared there. */
    void home(BranchId id, int shard) {
        homes.put(id, shard);
    }

    /** The shard that ends the branch; where none has it, the first, which says so. */
    int home(BranchId id, Link link) throws JMSException {
        if (link.limits().shards() == 1) {
            return 0;
        }
        Integer home = homes.get(id);
        if (home == null) {
            prepared(link);
            home = homes.get(id);
        }
        return home == null ? 0 : home;
    }

    /** All that are prepared on the node, by whomever. */
    List<BranchId> prepared(Link link) throws JMSException {
        List<BranchId> all = new ArrayList<>();
        Map<BranchId, Integer> found = new HashMap<>();
        for (int shard = 0; shard < link.limits().shards(); shard++) {
            for (ListBranches.Prepared branch : Call.ask(
                            link, new ListBranches.Request(shard), ListBranches.Response.class)
                    .branches()) {
                all.add(branch.branch());
                found.put(branch.branch(), shard);
            }
        }
        homes.keySet().removeIf(id -> !found.containsKey(id) && get(id) == null);
        homes.putAll(found);
        return all;
    }
}
