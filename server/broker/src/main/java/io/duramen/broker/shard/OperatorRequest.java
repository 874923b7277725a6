package io.duramen.broker.shard;

import io.duramen.broker.subscription.Peek;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.PartitionRef;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

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

    /** @param paused whether nothing is handed out of it */
    record DestinationEntry(String name, DestinationKind kind, int partitions, boolean paused) {}

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

    /**
     * Makes a queue or topic; to be asked of the shard with the catalogue. Refused where there is one of that name.
     *
     * @param partitions as many as that; 0 for what the settings say
     */
    record CreateDestination(String name, DestinationKind kind, int partitions) implements OperatorRequest<Boolean> {}

    /** Has nothing handed out of a destination, or again; to be asked of the shard with the catalogue. */
    record PauseDestination(String name, boolean paused) implements OperatorRequest<Boolean> {}

    /**
     * Changes settings of a destination while it is used; to be asked of the shard with the catalogue. Answered once every shard
     * that carries it has them on disk.
     *
     * @param settings see {@link io.duramen.broker.destination.DestinationSettings#with}
     */
    record ChangeDestination(String name, String settings) implements OperatorRequest<Boolean> {}

    /** What holds for a destination; to be asked of the shard with the catalogue. */
    record FindSettings(String name) implements OperatorRequest<List<SettingEntry>> {}

    /** @param changed whether it was changed of this destination; otherwise it is what the node's settings say */
    record SettingEntry(String key, String value, boolean changed) {}

    /**
     * Destinations of which a partition in this shard is full by a limit of its own.
     *
     * @param after only those whose names come behind this; empty for all
     */
    record FindFull(String after) implements OperatorRequest<FullPage> {}

    /** @param next what to ask for behind; empty where there are no more. A page may be short, and have more behind it */
    record FullPage(List<FullEntry> entries, String next) {}

    /**
     * @param messagesMax {@link Long#MAX_VALUE} for any number
     * @param bytesMax {@link Long#MAX_VALUE} for any number
     */
    record FullEntry(String destination, int partition, long messages, long messagesMax, long bytes, long bytesMax) {}

    /**
     * As {@link PauseDestination}, of a durable subscription.
     *
     * @param clientId empty for none
     */
    record PauseSubscription(String clientId, String name, boolean paused) implements OperatorRequest<Boolean> {}

    /** Where a destination is; to be asked of the shard with the catalogue. */
    record FindPlaces(String name) implements OperatorRequest<Places> {}

    record Places(DestinationKind kind, List<PartitionRef> partitions) {}

    /**
     * Which connections consume a destination in this shard, by their ids and the names of subscriptions. The shard with the
     * catalogue has all of them. Empty where it does not know the destination.
     *
     * @param connection only those of higher ids, or of this one with subscriptions behind; 0 for all
     * @param subscription that name
     * @param limit most entries, 1 to {@link #PAGE_MAX}
     */
    record ListConsumers(String destination, long connection, String subscription, int limit)
            implements OperatorRequest<ConsumersPage> {}

    /** @param more whether there are some behind these */
    record ConsumersPage(List<ConsumerEntry> entries, boolean more) {}

    /**
     * @param clientId empty for none
     * @param subscription its name; empty for all without one
     * @param consumers of the connection
     * @param held messages that these hold in this shard
     */
    record ConsumerEntry(
            long connection, String user, String clientId, String subscription, int consumers, long held) {}

    /**
     * What a connection consumes in this shard. A consumer of an application is in the shard with the catalogue and in those with
     * messages for it, in each under another number.
     *
     * @param after only those of higher numbers
     * @param limit most entries, 1 to {@link #PAGE_MAX}
     */
    record ListAttached(long connection, int after, int limit) implements OperatorRequest<List<AttachedEntry>> {}

    /**
     * @param consumer its number on the connection
     * @param subscription its name; empty for one without, and of a queue
     * @param held messages that it holds in this shard
     */
    record AttachedEntry(int consumer, String destination, String subscription, long held) {}

    /**
     * Has a consumer leave, with what it is in other shards. Answered with true once it has left this one, with false where it is not in
     * it.
     *
     * @param now whether it leaves at once, as if its connection had broken; otherwise its client is asked to have it leave
     */
    record EndConsumer(long connection, int consumer, boolean now) implements OperatorRequest<Boolean> {}

    /** Refused where consumers or prepared branches have something with the destination in this shard. */
    record RequireUnused(String name) implements OperatorRequest<Boolean> {}

    /** Deletes a destination, with its messages and subscriptions; to be asked of the shard with the catalogue. */
    record DeleteDestination(String name) implements OperatorRequest<Boolean> {}

    /**
     * Gives a destination further partitions, whoever uses it; to be asked of the shard with the catalogue. Answered once every
     * shard has them on disk: who connects or asks for it from then on is told of them. Asked again, it does nothing. Order
     * holds as ADR 0027 says.
     *
     * @param partitions how many it has then, 1 to {@link io.duramen.broker.destination.Placement#PARTITIONS_MAX}; refused
     *     where it has more, or its number is fixed
     */
    record AddPartitions(String name, int partitions) implements OperatorRequest<Boolean> {}

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

    /** @param paused whether nothing is handed out of it, by itself or with its topic */
    record SubscriptionEntry(
            int id,
            String destination,
            String clientId,
            String name,
            SubscriptionKind kind,
            String selector,
            boolean paused) {}

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

    /**
     * Where a queue or durable subscription can go on in this shard; empty where it is not in this shard.
     *
     * @param millis a time, in milliseconds since 1970
     */
    record FindKept(Target target, long millis) implements OperatorRequest<List<KeptStretch>> {}

    /**
     * @param from the first offset that is there for the subscription
     * @param before an offset before all that was stored at the time that was asked for, or later; {@code from} where that is
     *     behind it
     * @param end offset behind the last message
     * @param kept whether what it has settled is kept
     */
    record KeptStretch(int partition, long from, long before, long end, boolean kept) {}

    /**
     * Has a queue or durable subscription go on at an offset of a partition, forwards or backwards: it gets all from there on, whatever of it
     * it has settled. Refused while consumers are there or hold messages.
     *
     * @param orLater whether it goes on at the first that is kept where that is behind the offset; refused otherwise
     */
    record MoveCursor(Target target, int partition, long offset, boolean orLater) implements OperatorRequest<Boolean> {}

    // ---- format ----------------------------------------------------------------------------------------------------

    /**
     * Has the shard's log written in that {@link io.duramen.protocol.FormatLevel} from here on; refused where it is written in a later
     * one. All nodes that replicate it have to read that.
     */
    record DecideFormat(int level) implements OperatorRequest<Boolean> {}

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
        SEND_BACK,
        /** Stores it elsewhere, and settles it here: both, or neither. */
        MOVE,
        /** Stores it elsewhere, too. */
        COPY,
        /** Its time is over: it goes where expired messages go, or nowhere, in the entry that settles it here. */
        EXPIRE
    }

    /**
     * Does something to messages that no consumer and no branch holds, those that wait for a time included.
     *
     * @param selector which of them; empty for all
     * @param to the partitions of the queue to which it is moved or copied; empty otherwise
     * @param max most messages it is done to, 1 to {@link #LOOK_MAX}
     */
    record Sweep(Target target, Stretch stretch, String selector, Action action, List<PartitionRef> to, int max)
            implements OperatorRequest<Swept> {
        /** To nowhere in particular. */
        public Sweep(Target target, Stretch stretch, String selector, Action action, int max) {
            this(target, stretch, selector, action, List.of(), max);
        }
    }

    /**
     * @param done to how many it was done
     * @param skipped messages that were chosen and had to stay: dead letters that came from a topic, or whose queue, or the part
     *     of it that was in this shard, is no more; a large body that would leave its shard; one of a group where the other
     *     queue has several partitions
     * @param next offset to go on from; the end of the stretch where that was reached
     */
    record Swept(int done, int skipped, long next) {}

    // ---- looking at messages ---------------------------------------------------------------------------------------

    /**
     * Messages that are not settled, in whose hands they may be; changes nothing.
     *
     * @param selector which of them; empty for all
     * @param max most messages, 1 to {@link #PAGE_MAX}
     * @param bodyBytes most bytes of each body, 0 to {@link #BODY_MAX}
     * @param heldOnly only those that consumers hold
     */
    record Look(Target target, Stretch stretch, String selector, int max, int bodyBytes, boolean heldOnly)
            implements OperatorRequest<Seen> {
        /** Most bytes of a body that are shown. */
        public static final int BODY_MAX = 64 << 10;
    }

    /** @param next offset to go on from; the end of the stretch where that was reached */
    record Seen(List<SeenMessage> messages, long next) {}

    /**
     * @param record of its body no more than was asked for; the lengths in it are those of the whole
     * @param deliveries that ended without success
     */
    record SeenMessage(
            long offset, ByteBuffer record, int deliveries, Peek.Standing standing, Optional<Holder> holder) {}

    /**
     * @param connection its id
     * @param clientId empty for none
     * @param consumer number of the consumer on its connection
     * @param heldMillis for how long, whatever the time of day did meanwhile; -1 for since before its connection came back
     */
    record Holder(long connection, String user, String clientId, int consumer, long heldMillis) {}

    /**
     * Queues and durable subscriptions of which a consumer has held a message for long, by their ids in this shard. A page
     * ends behind {@link #PAGE_MAX} of them, or behind the one with which {@link #LOOK_MAX} leases were looked at.
     *
     * @param after only those of higher ids
     * @param longerThanMillis for longer than this
     */
    record FindStuck(int after, long longerThanMillis) implements OperatorRequest<StuckPage> {}

    /** @param next what to ask for behind; -1 where there are no more */
    record StuckPage(List<Stuck> entries, int next) {}

    /**
     * @param subscription its name; empty of a queue
     * @param offset of the message that was held longest
     */
    record Stuck(String destination, String subscription, int partition, long offset, Holder holder) {}

    /** Takes a message from the consumer that holds it: it comes again, counted. Refused where nobody holds it. */
    record TakeBack(Target target, int partition, long offset) implements OperatorRequest<Boolean> {}

    /** Stores a message in a partition of this shard. */
    record Store(int partition, ByteBuffer record) implements OperatorRequest<Boolean> {}
}
