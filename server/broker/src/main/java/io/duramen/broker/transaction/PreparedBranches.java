package io.duramen.broker.transaction;

import io.duramen.protocol.frame.BranchId;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The prepared branches of a shard, and what is on its way with them. Confined to the shard's agent. */
public final class PreparedBranches {
    /** How far a branch is, decided and maybe not yet committed to the log. */
    public enum Stage {
        /** Nobody knows of it. */
        UNKNOWN,
        /** Being prepared. */
        PREPARING,
        PREPARED,
        /** Being committed. */
        COMMITTING,
        /** Being rolled back. */
        ROLLING_BACK
    }

    // Hard: rebuilt by replay; in the order in which they were prepared.
    private final LinkedHashMap<BranchId, PreparedBranch> prepared = new LinkedHashMap<>();
    private long sizeBytes;

    // Soft: appended, not yet committed.
    private final Map<BranchId, Stage> pending = new HashMap<>();
    private final Map<BranchId, Long> pendingBytes = new HashMap<>();
    private long pendingSizeBytes;
    private int committing;

    public Stage stage(BranchId id) {
        Stage stage = pending.get(id);
        return stage != null ? stage : prepared.containsKey(id) ? Stage.PREPARED : Stage.UNKNOWN;
    }

    /** @return null where none of this id is prepared */
    public PreparedBranch get(BranchId id) {
        return prepared.get(id);
    }

    /** In the order in which they were prepared. */
    public Collection<PreparedBranch> all() {
        return prepared.values();
    }

    /** How many are prepared or about to be. */
    public int count() {
        return prepared.size() + pendingBytes.size();
    }

    /** Memory of all that are prepared or about to be. */
    public long sizeBytes() {
        return sizeBytes + pendingSizeBytes;
    }

    /** Decided: it will be {@link #prepared}. */
    public void preparing(BranchId id, long bytes) {
        pending.put(id, Stage.PREPARING);
        Long before = pendingBytes.put(id, bytes);
        pendingSizeBytes += bytes - (before == null ? 0 : before);
    }

    /** Decided: it will be {@link #ended}. */
    public void ending(BranchId id, boolean commit) {
        pending.put(id, commit ? Stage.COMMITTING : Stage.ROLLING_BACK);
        committing += commit ? 1 : 0;
    }

    /** Whether any is being committed: what it sends and settles is not to be seen yet. */
    public boolean isCommitting() {
        return committing > 0;
    }

    /** Replays, or loads, that it is prepared. */
    public void prepared(PreparedBranch branch) {
        pending.remove(branch.id(), Stage.PREPARING);
        Long pendingOne = pendingBytes.remove(branch.id());
        pendingSizeBytes -= pendingOne == null ? 0 : pendingOne;
        PreparedBranch before = prepared.put(branch.id(), branch);
        sizeBytes += branch.sizeBytes() - (before == null ? 0 : before.sizeBytes());
    }

    /**
     * Replays its end.
     *
     * @return what it was; null where none of this id was prepared
     */
    public PreparedBranch ended(BranchId id) {
        committing -= pending.remove(id) == Stage.COMMITTING ? 1 : 0;
        PreparedBranch branch = prepared.remove(id);
        if (branch != null) {
            sizeBytes -= branch.sizeBytes();
        }
        return branch;
    }
}
