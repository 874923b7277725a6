package io.duramen.simulation.broker;

import io.duramen.broker.shard.ShardMessage;
import io.duramen.broker.shard.ShardMessage.Ending;
import java.util.Optional;

/** The steps of a transaction over shards, by what one shard then says to another. */
public enum Step {
    /** The coordinator has checked its own part, and asks for the others. */
    PREPARE,
    /** A part is prepared and on disk. */
    PREPARED,
    /** A part cannot be prepared. */
    REFUSED,
    /** The decision to commit is on disk. */
    COMMIT,
    /** The decision to settle, and to store nothing that repeats, is on disk. */
    SETTLE,
    /** The decision of a branch's manager to roll back is on disk. */
    ROLL_BACK,
    /** The coordinator gives it up. */
    DROP,
    /** A part has ended, and its end can be seen. */
    SEEN,
    /** A part has ended on disk. */
    ENDED,
    /** A shard with a prepared part asks after a restart what becomes of it. */
    ASKED,
    /** It is told that a manager has yet to say. */
    PENDING;

    static Optional<Step> of(ShardMessage message) {
        if (message instanceof ShardMessage.PrepareBranch) {
            return Optional.of(PREPARE);
        } else if (message instanceof ShardMessage.Voted vote) {
            return Optional.of(vote.refusal().isEmpty() ? PREPARED : REFUSED);
        } else if (message instanceof ShardMessage.FinishBranch finish) {
            return Optional.of(of(finish.ending()));
        } else if (message instanceof ShardMessage.Finished finished) {
            return Optional.of(finished.durable() ? ENDED : SEEN);
        } else if (message instanceof ShardMessage.AskOutcome) {
            return Optional.of(ASKED);
        }
        return message instanceof ShardMessage.OutcomePending ? Optional.of(PENDING) : Optional.empty();
    }

    private static Step of(Ending ending) {
        return switch (ending) {
            case COMMIT -> COMMIT;
            case SETTLE -> SETTLE;
            case ROLL_BACK -> ROLL_BACK;
            case DROP -> DROP;
        };
    }
}
