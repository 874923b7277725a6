package io.duramen.simulation.client;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.EndBranch;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Prepare;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeSet;

/**
 * Moves tokens from one queue to the next in branches of distributed transactions, and is their manager: what it has decided
 * it says until it is answered, what was not prepared before its connection was lost it rolls back, and in the end it asks
 * for what is left and rolls that back. Confined to the simulation.
 */
public final class BranchMoverPart extends IntakePart {
    private static final int FORMAT = 6;

    private enum Stage {
        NONE,
        PREPARING,
        PREPARED,
        ENDING
    }

    private final String target;
    private final long name;
    private final BranchRecovery recovery;

    private List<PartitionRef> targets = List.of();
    private Stage stage = Stage.NONE;
    private Prepare.Request branch;
    private boolean commit;
    private boolean mayBeUnknown;
    private boolean asked;
    private long transaction;
    private long sequence;
    private boolean left;

    public BranchMoverPart(SimulatedClient client, String source, String target) {
        super(client, new Intake.Source(source, DestinationKind.QUEUE, SubscriptionKind.QUEUE, ""));
        this.target = target;
        this.name = random.nextLong() | 1;
        this.recovery = new BranchRecovery(client, this::isOwn);
    }

    @Override
    public void connected() {
        new Destinations(client).resolve(target, DestinationKind.QUEUE, found -> targets = found);
        super.connected();
    }

    @Override
    public void lost() {
        targets = List.of();
        recovery.lost();
        if (stage == Stage.PREPARING) {
            intake.held().clear();
            end(false);
        }
        mayBeUnknown |= asked;
        asked = false;
        super.lost();
    }

    @Override
    public void work() {
        if (targets.isEmpty() || !left && !intake.isJoined() || asked) {
            return;
        }
        switch (stage) {
            case NONE -> begin();
            case PREPARING -> {}
            case PREPARED -> {
                if (winding || random.oneIn(4)) {
                    end(!random.oneIn(3));
                }
            }
            case ENDING -> askEnd();
        }
    }

    private void begin() {
        if (left) {
            TreeSet<Integer> shards = new TreeSet<>(intake.shards());
            targets.forEach(partition -> shards.add(partition.shard()));
            recovery.ask(shards);
        } else if (winding) {
            if (!intake.held().isEmpty()) {
                giveBack();
            }
            intake.leave();
            left = true;
        } else {
            takeTokens();
            if (!intake.held().isEmpty() && random.oneIn(2)) {
                prepare();
            }
        }
    }

    private void prepare() {
        transaction = name * 31 + ++sequence;
        Parts parts = moving(targets, transaction);
        int shard = parts.coordinator(random);
        Commit.ShardPart own = parts.of(shard);
        ByteBuffer global = ByteBuffer.allocate(Long.BYTES).putLong(0, name);
        ByteBuffer qualifier = ByteBuffer.allocate(Long.BYTES).putLong(0, sequence);
        branch = new Prepare.Request(
                shard, new BranchId(FORMAT, global, qualifier), own.batches(), own.settlements(), parts.others(shard));
        stage = Stage.PREPARING;
        asked = true;
        client.ask(branch, new SimulatedClient.Answer() {
            @Override
            public void answered(Record response) {
                asked = false;
                intake.held().clear();
                stage = Stage.PREPARED;
            }

            @Override
            public void refused(ErrorCode code, String detail) {
                if (code == ErrorCode.LEASE_LOST || code == ErrorCode.RESOURCE_EXHAUSTED) {
                    asked = false;
                    client.rolledBack(transaction);
                    giveBack();
                    stage = Stage.NONE;
                } else {
                    client.retryLater(code);
                }
            }
        });
    }

    private void end(boolean commits) {
        stage = Stage.ENDING;
        commit = commits;
        mayBeUnknown = asked;
    }

    private void askEnd() {
        asked = true;
        EndBranch.Request request = new EndBranch.Request(branch.shard(), branch.branch(), commit);
        client.ask(request, new SimulatedClient.Answer() {
            @Override
            public void answered(Record response) {
                asked = false;
                stage = Stage.NONE;
                if (commit) {
                    client.branchCommitted(transaction);
                } else {
                    client.rolledBack(transaction);
                }
            }

            @Override
            public void refused(ErrorCode code, String detail) {
                if (code == ErrorCode.BRANCH_NOT_FOUND && mayBeUnknown) {
                    answered(null); // it was never prepared, or is over, and the answer was lost
                } else if (code == ErrorCode.RESOURCE_EXHAUSTED) {
                    asked = false;
                } else {
                    client.retryLater(code);
                }
            }
        });
    }

    private boolean isOwn(BranchId id) {
        return id.formatId() == FORMAT && id.globalId().getLong(id.globalId().position()) == name;
    }

    @Override
    public boolean isIdle() {
        return left && stage == Stage.NONE;
    }

    @Override
    public String describe() {
        return "branch mover to " + target + ", " + stage + ", " + intake;
    }
}
