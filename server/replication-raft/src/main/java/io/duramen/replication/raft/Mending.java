package io.duramen.replication.raft;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of the damaged log of one shard on this node: known from one {@link RaftLog} to the next, and forgotten with the process,
 * which finds the damage anew. Until another's log has arrived as a whole, nothing of the damaged one is changed. From any thread.
 */
public final class Mending {
    /** The other shards of this node: it hands on all that it leads to the same, and lets one node leave at a time. From any thread. */
    public interface OtherShards {
        /** Where this shard is the only one. */
        OtherShards NONE = new OtherShards() {
            @Override
            public boolean areInSync(RaftPeer peer) {
                return true;
            }

            @Override
            public boolean mayLead(RaftPeer peer) {
                return true;
            }

            @Override
            public Optional<String> leavingBut(String node) {
                return Optional.empty();
            }

            @Override
            public void chosen(RaftPeer peer) {
                // Nothing else is handed on.
            }
        };

        /** Whether it has what is committed of all that this node leads besides. */
        boolean areInSync(RaftPeer peer);

        /** Whether it has, as far as is known intact. */
        boolean mayLead(RaftPeer peer);

        /** Name of a node, other than that one, of which a replica begins anew, or was let leave for that. */
        Optional<String> leavingBut(String node);

        /** That one is to lead all shards; told before this one ends to lead. */
        void chosen(RaftPeer peer);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Mending.class);

    private final OtherShards others;
    private volatile String damage = "";
    private volatile boolean stuck;
    private volatile boolean begun;
    private volatile boolean startable;

    public Mending(OtherShards others) {
        this.others = others;
    }

    OtherShards others() {
        return others;
    }

    /** The log is damaged; this replica is to begin anew with what another has. */
    void found(String what) {
        if (damage.isEmpty()) {
            damage = what;
            LOG.warn("This replica's log is damaged, and it is to begin anew with what another has: {}", what);
        }
    }

    /** What was damaged is not in the log any more. */
    void forget() {
        damage = "";
    }

    /** A replica starts, or what was damaged is not any more: it may go on. */
    void unstuck() {
        stuck = false;
    }

    /** The replica waits for what cannot be read: it could not lead. */
    void stuck() {
        stuck = true;
    }

    boolean isStuck() {
        return stuck;
    }

    boolean isNeeded() {
        return !damage.isEmpty();
    }

    /** Where the log is damaged, for people; empty where nothing is known to be. */
    public String damage() {
        return damage;
    }

    /** The replica has ended, or is about to, and is not started before it has copied, or was told that it can go on. */
    void leave() {
        startable = true;
        begun = true;
    }

    /** The log cannot be opened as it is: another's takes its place, however long that takes. */
    public void requireAnother(String what) {
        found(what);
        startable = false;
        begun = true;
    }

    /** Whether this replica does not take part, and copies what another has. */
    public boolean isBegun() {
        return begun;
    }

    boolean isStartable() {
        return startable;
    }

    /** This replica takes part again. */
    void ended(boolean mended) {
        begun = false;
        if (mended) {
            damage = "";
        }
    }
}
