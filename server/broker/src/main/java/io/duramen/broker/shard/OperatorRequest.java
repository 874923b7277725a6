package io.duramen.broker.shard;

import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.DestinationKind;
import java.util.List;

/**
 * What an operator asks a shard of this process, through its inbox, see {@link ShardRequest.FromOperator}. Immutable.
 * Whatever changes state is decided, appended and replayed like a client's request, and answered when it is on disk. Each
 * is bounded, so that no client waits for long: who wants more asks again.
 *
 * @param <A> the answer; {@link io.duramen.protocol.ProtocolException} where it is refused
 */
public sealed interface OperatorRequest<A> {
    /** Most entries of one page, and most names or ids of one question for counts. */
    int PAGE_MAX = 1000;

    /** Most messages that one {@link Sweep} looks at. */
    int LOOK_MAX = 4096;

    // ---- destinations ----------------------------------------------------------------------------------------------

    /**
     * Destinations by name; to be asked of the shard with the catalogue.
     *
     * @param pattern of their names, in which {@code *} stands for any characters
     * @param after only those whose names come behind this; empty for all
     * @param limit most entries, 1 to {@link #PAGE_MAX}
     */
    record ListDestinations(String pattern, String after, int limit) implements OperatorRequest<DestinationPage> {}

    /** @param next what to ask for behind; empty where there are no more. A page may be short, and have more behind it */
    record DestinationPage(List<DestinationEntry> entries, String next) {}

    record DestinationEntry(String name, DestinationKind kind, int partitions) {}

    /** What the shard has of destinations; answered in the order of the names, zeros for those it does not know. */
    record CountDestinations(List<String> names) implements OperatorRequest<List<DestinationCounts>> {}

    /**
     * @param messages that the queue has and has not settled; 0 of a topic
     * @param held of these, by consumers
     * @param consumers of all its subscriptions
     * @param subscriptions durable or not, the built-in one of a queue included
     */
    record DestinationCounts(long messages, long held, int consumers, int subscriptions) {
        static final DestinationCounts NONE = new DestinationCounts(0, 0, 0, 0);
    }

    /** Refused where consumers or prepared branches have something with the destination in this shard. */
    record RequireUnused(String name) implements OperatorRequest<Boolean> {}

    /** Deletes a destination, with its messages and subscriptions; to be asked of the shard with the catalogue. */
    record DeleteDestination(String name) implements OperatorRequest<Boolean> {}

    // ---- subscriptions ---------------------------------------------------------------------------------------------

    /**
     * Durable subscriptions of topics, by their ids; to be asked of the shard with the catalogue.
     *
     * @param pattern of the names of their topics
     * @param after only those of higher ids
     * @param limit most entries, 1 to {@link #PAGE_MAX}
     */
    record ListSubscriptions(String pattern, int after, int limit) implements OperatorRequest<SubscriptionPage> {}

    /** @param next what to ask for behind; -1 where there are no more. A page may be short, and have more behind it */
    record SubscriptionPage(List<SubscriptionEntry> entries, int next) {}

    record SubscriptionEntry(
            int id, String destination, String clientId, String name, SubscriptionKind kind, String selector) {}

    /** What the shard has of durable subscriptions; answered in the order of the ids, zeros for those it does not know. */
    record CountSubscriptions(List<Integer> ids) implements OperatorRequest<List<SubscriptionCounts>> {}

    /**
     * @param backlog messages that it has not settled; those that its selector leaves out are among them until they are met
     * @param held of these, by consumers
     * @param consumers that are attached
     */
    record SubscriptionCounts(long backlog, long held, int consumers) {
        static final SubscriptionCounts NONE = new SubscriptionCounts(0, 0, 0);
    }

    // ---- branches --------------------------------------------------------------------------------------------------

    /** Prepared branches that transaction managers have named, the oldest first. */
    record ListPrepared() implements OperatorRequest<List<PreparedEntry>> {}

    /**
     * @param preparedMillis milliseconds since 1970
     * @param user who prepared it
     * @param messages that it sends in this shard
     * @param settles deliveries of durable subscriptions that it accepts in this shard
     */
    record PreparedEntry(BranchId id, long preparedMillis, String user, long messages, long settles) {}

    /** Ends a prepared branch by hand, in all shards that it concerns; refused where none is prepared here. */
    record EndPrepared(BranchId id, boolean commit) implements OperatorRequest<Boolean> {}

    // ---- messages --------------------------------------------------------------------------------------------------

    /** Whose messages: of a queue, or of a durable subscription. */
    sealed interface Target {
        record OfQueue(String name) implements Target {}

        /** @param clientId empty for none */
        record OfSubscription(String clientId, String name) implements Target {}
    }

    /**
     * Where the target has unsettled messages in this shard now; empty where it is not in this shard.
     *
     * @param selector of the {@link Sweep} to come, which is checked
     */
    record FindStretches(Target target, String selector) implements OperatorRequest<List<Stretch>> {}

    /** Offsets of a partition from one to before another. */
    record Stretch(int partition, long from, long end) {}

    enum Action {
        /** Settles it: nobody gets it any more. */
        DROP,
        /** Moves a dead letter back to the queue it came from, in the entry that settles it here. */
        SEND_BACK
    }

    /**
     * Does something to messages that no consumer and no branch holds, those that wait for a time included.
     *
     * @param selector which of them; empty for all
     * @param max most messages it is done to, 1 to {@link #LOOK_MAX}
     */
    record Sweep(Target target, Stretch stretch, String selector, Action action, int max)
            implements OperatorRequest<Swept> {}

    /**
     * @param done to how many it was done
     * @param skipped dead letters that cannot be sent back: they came from a topic, or their queue, or the part of it that was
     *     in this shard, is no more
     * @param next offset to go on from; the end of the stretch where that was reached
     */
    record Swept(int done, int skipped, long next) {}
}
