package io.duramen.broker.shard;

import io.duramen.broker.shard.ControlRecord.DeliveryPaused;
import io.duramen.broker.shard.ControlRecord.DestinationChanged;
import io.duramen.broker.shard.ControlRecord.DestinationCreated;
import io.duramen.broker.shard.ControlRecord.SubscriptionCreated;
import io.duramen.broker.shard.DedupDecisions.Guard;
import io.duramen.broker.transaction.Spread;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit.ConsumerSettlement;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import java.util.List;
import java.util.Optional;

/**
 * What shards say to each other. Immutable.
 *
 * <pre>
 *   catalogue -&gt; DefineAll, *[ Define ]            other &lt;- answers each by Defined
 *   other -&gt; WantQueue                             catalogue &lt;- QueueWanted
 *   coordinator -&gt; PrepareBranch                   participant &lt;- Voted
 *   coordinator -&gt; FinishBranch                    participant &lt;- Finished, once durable; before that, once it can be
 *                                                    seen, where it is no commit
 *   participant -&gt; AskOutcome, after a restart     coordinator &lt;- FinishBranch or OutcomePending
 * </pre>
 *
 * <p>Where they are far: the same, each time they meet; a participant says TakesParts then, and is told to prepare nothing before.
 */
public sealed interface ShardMessage {
    /** What a shard that has stopped says to it; empty where nothing waits. */
    default Optional<ShardMessage> refused() {
        return Optional.empty();
    }

    private static ProtocolException stopped() {
        return new ProtocolException(
                ErrorCode.SHARD_STOPPED,
                "a shard that the request concerns has stopped; the node's log has the details");
    }

    // ---- definitions -----------------------------------------------------------------------------------------------

    /** Definitions that have changed, for the shard that carries their partitions. Saying it again changes nothing. */
    record Define(long number, List<ControlRecord> changes) implements ShardMessage {
        @Override
        public Optional<ShardMessage> refused() {
            return Optional.of(new Defined(number, Optional.of(stopped())));
        }
    }

    /** All definitions that concern the shard, and what else holds for them; what it has besides is to go. */
    record DefineAll(
            long number,
            List<DestinationCreated> destinations,
            List<SubscriptionCreated> subscriptions,
            Besides besides)
            implements ShardMessage {
        /** What operators have paused, and changed. */
        record Besides(List<DeliveryPaused> pauses, List<DestinationChanged> changed) {}

        /** Of which nothing is paused, or was changed. */
        DefineAll(long number, List<DestinationCreated> destinations, List<SubscriptionCreated> subscriptions) {
            this(number, destinations, subscriptions, new Besides(List.of(), List.of()));
        }

        @Override
        public Optional<ShardMessage> refused() {
            return Optional.of(new Defined(number, Optional.of(stopped())));
        }
    }

    /** A shard needs a queue that has a partition in every shard. */
    record WantQueue(String name) implements ShardMessage {
        @Override
        public Optional<ShardMessage> refused() {
            return Optional.of(new QueueWanted(name, Optional.of(stopped())));
        }
    }

    /** It is there, and the shard has been told of it; or it cannot be. */
    record QueueWanted(String name, Optional<ProtocolException> refusal) implements ShardMessage {}

    /** The shard has them. */
    record Defined(long number, Optional<ProtocolException> refusal) implements ShardMessage {}

    // ---- transactions ----------------------------------------------------------------------------------------------

    /**
     * Prepares a part of a transaction of several shards.
     *
     * @param ballot of all its parts
     */
    record PrepareBranch(
            BranchId inner,
            ClientConnection connection,
            List<PartitionBatch> batches,
            List<ConsumerSettlement> settlements,
            Ballot ballot)
            implements ShardMessage {
        @Override
        public Optional<ShardMessage> refused() {
            return Optional.of(new Voted(inner, Optional.of(stopped()), Guard.NONE));
        }
    }

    /**
     * The part is prepared, on disk, or it never will be.
     *
     * @param guard what its dedup ids say
     */
    record Voted(BranchId inner, Optional<ProtocolException> refusal, Guard guard) implements ShardMessage {}

    /** Ends a part in the way that was decided. */
    record FinishBranch(BranchId inner, Ending ending) implements ShardMessage {
        @Override
        public Optional<ShardMessage> refused() {
            return Optional.of(new Finished(inner, false));
        }
    }

    enum Ending {
        COMMIT,
        /** As a commit, but for its messages: they are repeats, by their dedup ids. */
        SETTLE,
        /** Its deliveries come again, counted. */
        ROLL_BACK,
        /** It never was: its deliveries are where they were. */
        DROP;

        /** Of a transaction that is committed. */
        static Ending commit(Spread over) {
            return over.settlesOnly() ? SETTLE : COMMIT;
        }

        boolean commits() {
            return this == COMMIT || this == SETTLE;
        }
    }

    /** @param durable whether it is on disk, too; until then it can be seen, and would be asked for after a restart */
    record Finished(BranchId inner, boolean durable) implements ShardMessage {}

    /** A part stands prepared since before a restart. */
    record AskOutcome(BranchId inner) implements ShardMessage {}

    /** A transaction manager has yet to say. */
    record OutcomePending(BranchId inner) implements ShardMessage {}

    /**
     * Of all that was prepared here before, what became of it was asked, and nothing is in doubt since before this leadership: so what is prepared next comes
     * behind whatever was committed, or dropped, before.
     */
    record TakesParts() implements ShardMessage {}
}
