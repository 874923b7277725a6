package io.duramen.broker;

import io.duramen.broker.destination.Placement;
import io.duramen.broker.destination.RedeliveryPolicies;
import io.duramen.broker.destination.RedeliveryPolicy;
import io.duramen.broker.transaction.CheckPolicy;
import io.duramen.runtime.settings.Bytes;
import io.duramen.runtime.settings.Setting;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** Settings under {@code broker.}. */
public record BrokerConfig(
        @Setting(value = "true", doc = "Whether a queue or topic is created when a client first names it.")
        boolean autoCreate,

        @Setting(
                value = "1",
                min = "1",
                max = "64",
                doc = "Partitions of a destination created on first use. One keeps total order.")
        int partitions,

        @Setting(
                value = "",
                doc = "Partitions of destinations by name, as orders.*=4,hot=8: * stands for any characters, the first"
                        + " that matches counts, 1 to 64. Before broker.partitions. A destination that has fewer gets"
                        + " further ones when the node starts; one that has more keeps them.")
        List<String> partitionsOf,

        @Setting(
                value = "",
                doc =
                        "On how many nodes of a cluster destinations are, by name, as scratch.*=1,orders=5: * stands for any"
                                + " characters, the first that matches counts, 1 to 7. A new destination is placed in shards that"
                                + " are on so many, and refused where there is none; where nothing matches, in shards that are on"
                                + " as many as any. One that is there stays where it is. Of no effect on a node by itself.")
        List<String> replicasOf,

        @Setting(
                value = "",
                doc =
                        "Names of destinations that have a shard to themselves, with one partition. So many shards are kept"
                                + " empty for them until they are created; creating one is refused where none is. Never the first"
                                + " shard, which carries the catalogue.")
        List<String> dedicated,

        @Setting(value = "100000", min = "1", doc = "Most destinations a node holds, temporary ones included.")
        int destinationsMax,

        @Setting(value = "100000", min = "1", doc = "Most durable subscriptions a node holds, without the queues' own.")
        int subscriptionsMax,

        @Setting(
                value = "64KiB",
                min = "1KiB",
                max = "16MiB",
                doc = "Requests that wait together are appended as one log entry until it has this size.")
        Bytes entrySize,

        @Setting(
                value = "2ms",
                max = "1s",
                doc =
                        "How long a settlement that no application waits for may wait for something to share its write with;"
                                + " and, while transactions come in quick succession, what carries one out in a shard that did"
                                + " not decide it.")
        Duration settlementLinger,

        @Setting(
                value = "16MiB",
                min = "1MiB",
                doc = "Appended but not yet committed bytes at which a shard stops taking requests for a moment.")
        Bytes uncommittedMax,

        @Setting(
                value = "256KiB",
                min = "1KiB",
                max = "8MiB",
                doc = "Messages are handed to a consumer in frames of about this size.")
        Bytes deliverSize,

        @Setting(
                value = "100000",
                min = "1",
                doc =
                        "Most unsettled messages that one consumer may hold; past it, it is sent no more until it settles.")
        int leasesMax,

        @Setting(
                value = "4096",
                min = "16",
                max = "1000000",
                doc = "Messages that are looked at and kept ready for a group of consumers, per partition, so that"
                        + " priorities, selectors and groups are obeyed among them. Those with a higher"
                        + " priority behind them are found too, as many again.")
        int window,

        @Setting(value = "16384", min = "1", max = "1048576", doc = "Most characters of a message selector.")
        int selectorLength,

        @Setting(value = "64", min = "1", max = "256", doc = "Most brackets within brackets in a message selector.")
        int selectorDepth,

        @Setting(
                value = "4096",
                min = "1",
                max = "100000",
                doc = "Most operators, names and literals of a message selector together.")
        int selectorNodes,

        @Setting(
                value = "100ms",
                max = "1h",
                doc =
                        "How long a consumer waits for messages that another holds unseen before they are asked back for it; with 0 they never are.")
        Duration recallAfter,

        @Setting(
                value = "100000",
                min = "16",
                doc = "Delivery and expiration times that a subscription keeps in memory, per partition; where more"
                        + " messages wait, the later ones are looked for again when they fall due. Where so many wait for"
                        + " their next delivery, or to be moved, no others are handed out until some have gone.")
        int timersMax,

        @Setting(
                value = "10000",
                min = "16",
                doc = "Message groups whose consumer a subscription remembers, per partition, beyond those of which"
                        + " messages are in hand, or whose consumer messages wait for.")
        int groupsMax,

        @Setting(
                value = "30s",
                min = "100ms",
                max = "1h",
                doc = "How long messages of a group wait for its consumer while it neither takes nor settles any and"
                        + " others are idle; then the group goes to another as soon as nothing of it is in hand.")
        Duration groupStall,

        @Setting(
                value = "1s",
                min = "10ms",
                max = "1h",
                doc =
                        "How often messages whose time is over are looked for where no consumer asks for them, and how often"
                                + " it is tried to move messages that cannot go where they should.")
        Duration expiryInterval,

        @Setting(
                value = "",
                doc = "Queue that expired messages are moved to, made where it is absent; empty to drop them.")
        String expiryDestination,

        @Setting(
                value = "10",
                max = "1000000",
                doc = "How often a message is delivered before it goes to the dead letters; 0 for no maximum. What the"
                        + " application did not see does not count.")
        int deliveriesMax,

        @Setting(
                value = "1",
                max = "1000000",
                doc =
                        "How many redeliveries of a message come at once, and in its place; before those after them it waits,"
                                + " and others pass it, but for those of its group.")
        int redeliveryAtOnce,

        @Setting(
                value = "1s",
                max = "365d",
                doc = "How long a message waits before the first redelivery that does not come at once.")
        Duration redeliveryDelay,

        @Setting(value = "2", min = "1", max = "1000", doc = "By how much that grows with each further redelivery.")
        int redeliveryMultiplier,

        @Setting(value = "1m", max = "365d", doc = "Longest wait before a redelivery.")
        Duration redeliveryDelayMax,

        @Setting(
                value = "DLQ.*",
                doc =
                        "Queue for messages that were delivered too often or refused, made when it is first needed; * stands"
                                + " for the name of their destination. Such a queue has no maximum itself.")
        String deadLetterQueue,

        @Setting(
                value = "",
                doc =
                        "What is different for destinations by name, as orders.*=max:3 delay:5s dead-letters:failed,hot=max:0:"
                                + " any of max:, at-once:, delay:, multiplier:, delay-max: and dead-letters:, with blanks between;"
                                + " the first that matches counts.")
        List<String> redeliveryOf,

        @Setting(
                value = "100000",
                min = "0",
                max = "10000000",
                doc = "Messages of a shard that are remembered by the value of a property, so that selectors such as"
                        + " JMSCorrelationID = 'x' find theirs without a scan; past it each scans by itself. About 100"
                        + " bytes each; 0 for no such index.")
        int indexMessages,

        @Setting(
                value = "1GiB",
                min = "1MiB",
                max = "64GiB",
                doc = "Longest body of a message that is sent in parts because it does not fit into a frame.")
        Bytes largeBodyMax,

        @Setting(
                value = "10000",
                min = "1",
                max = "100000",
                doc =
                        "Most such bodies of a shard that may be on their way at a time, those of open transactions among them.")
        int largeSendsMax,

        @Setting(
                value = "1m",
                max = "1d",
                doc =
                        "How long a body on its way waits for a client that lost its connection to go on with it; then what"
                                + " was stored of it is dropped.")
        Duration largeSendGrace,

        @Setting(
                value = "64MiB",
                min = "1MiB",
                max = "1GiB",
                doc =
                        "Memory of a shard for prepared branches of distributed transactions, that is for all messages that"
                                + " they will send; past it no more are prepared.")
        Bytes preparedSize,

        @Setting(value = "100000", min = "1", doc = "Producers whose last sequences are remembered to drop repeats.")
        int producersMax,

        @Setting(
                value = "1d",
                min = "1m",
                doc = "How long the last sequence of a producer that sends nothing is remembered.")
        Duration producerIdle,

        @Setting(
                value = "7d",
                min = "1m",
                doc =
                        "How long the identity of a transactional producer is remembered that neither starts nor commits.")
        Duration identityIdle,

        @Setting(value = "100000", min = "1", doc = "Most identities of transactional producers that are remembered.")
        int identitiesMax,

        @Setting(
                value = "64MiB",
                min = "1MiB",
                max = "1GiB",
                doc =
                        "Memory of a shard for half messages that are neither confirmed nor cancelled; past it no more are"
                                + " taken.")
        Bytes halfSize,

        @Setting(
                value = "30s",
                min = "10ms",
                doc = "How long a half message waits for its sender before its group is asked what became of it, where"
                        + " the sender names no other time.")
        Duration halfCheckAfter,

        @Setting(value = "30s", min = "10ms", doc = "How long after that its group is asked again; doubles each time.")
        Duration halfCheckBackoff,

        @Setting(value = "10m", min = "10ms", doc = "Longest wait between two such questions.")
        Duration halfCheckBackoffMax,

        @Setting(
                value = "15",
                min = "1",
                max = "10000",
                doc = "How often the group of a half message is asked before the message is parked. It counts only when"
                        + " somebody is there to be asked.")
        int halfChecksMax,

        @Setting(value = "1d", min = "10ms", doc = "Age at which a half message is parked in any case.")
        Duration halfAgeMax,

        @Setting(
                value = "parked",
                doc = "Queue to which half messages are moved of which nobody knows what became; made when it is first"
                        + " needed.")
        String halfParkedQueue,

        @Setting(
                value = "1d",
                doc = "How long the end of a half message is remembered, so that a repeat of it is answered alike.")
        Duration halfRemembered,

        @Setting(value = "100000", min = "1", doc = "Most such ends that are remembered; of more, the latest.")
        int halvesEndedMax,

        @Setting(
                value = "1h",
                min = "1s",
                max = "3650d",
                doc =
                        "How long the dedup id of a message (JMS_Duramen_DedupId) is remembered in its destination, so that a"
                                + " message which repeats it is not stored.")
        Duration dedupWindow,

        @Setting(
                value = "1000000",
                min = "1",
                max = "500000000",
                doc =
                        "Most dedup ids remembered of each partition of a destination; past it the oldest are forgotten. About"
                                + " 30 bytes of memory each.")
        int dedupIdsMax,

        @Setting(
                value = "20000000",
                min = "1",
                max = "1000000000",
                doc =
                        "Most dedup ids remembered of all partitions of a shard; past it each partition that gets one forgets"
                                + " its oldest.")
        int dedupIdsTotal,

        @Setting(
                value = "30s",
                max = "1h",
                doc = "How long temporary destinations wait for a client that lost its connection.")
        Duration temporaryGrace) {

    /** @throws IllegalArgumentException where a policy on partitions or redelivery is none */
    public BrokerConfig {
        Placement.check(partitionsOf, replicasOf);
        new RedeliveryPolicies(
                usual(
                        deliveriesMax,
                        redeliveryAtOnce,
                        redeliveryDelay,
                        redeliveryMultiplier,
                        redeliveryDelayMax,
                        deadLetterQueue),
                redeliveryOf);
    }

    private static RedeliveryPolicy usual(
            int max, int atOnce, Duration delay, int multiplier, Duration delayMax, String deadLetterQueue) {
        return new RedeliveryPolicy(max, atOnce, delay.toMillis(), multiplier, delayMax.toMillis(), deadLetterQueue);
    }

    /** What becomes of messages that are given back, where no policy names their destination. */
    public RedeliveryPolicy redeliveryPolicy() {
        return usual(
                deliveriesMax,
                redeliveryAtOnce,
                redeliveryDelay,
                redeliveryMultiplier,
                redeliveryDelayMax,
                deadLetterQueue);
    }

    /** The same for each destination. */
    public RedeliveryPolicies redeliveryPolicies() {
        return new RedeliveryPolicies(redeliveryPolicy(), redeliveryOf);
    }

    /** Names of queues that have a partition in every shard, so that messages can be moved to them in one append. */
    public Predicate<String> everywhere() {
        RedeliveryPolicies policies = redeliveryPolicies();
        return queue ->
                queue.equals(expiryDestination) || queue.equals(halfParkedQueue) || policies.isDeadLetterQueue(queue);
    }

    /** When half messages are checked. */
    public CheckPolicy checkPolicy() {
        return new CheckPolicy(
                halfCheckAfter.toMillis(),
                halfCheckBackoff.toMillis(),
                halfCheckBackoffMax.toMillis(),
                halfChecksMax,
                halfAgeMax.toMillis());
    }
}
