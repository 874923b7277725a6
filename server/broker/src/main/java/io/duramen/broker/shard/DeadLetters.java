package io.duramen.broker.shard;

import io.duramen.broker.destination.RedeliveryPolicies;
import io.duramen.broker.selector.MessageIdText;
import io.duramen.broker.subscription.Subscription;
import io.duramen.broker.subscription.Undeliverable;
import io.duramen.broker.subscription.Undeliverable.Cause;
import io.duramen.metadata.ShardImage.SubscriptionRow;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.runtime.Clock;
import java.nio.ByteBuffer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves messages that nobody could process to the queue for their destination's dead letters, in the log entry that settles
 * them. They are as they were, but neither expire nor wait there, and say in properties where they come from and why.
 * Confined to the agent.
 */
final class DeadLetters {
    /** Property: name of the topic's subscription; absent of a queue, or where it has none. */
    static final String SUBSCRIPTION = "JMS_Duramen_Subscription";

    /** Property: client id of the topic's subscription; absent where it has none. */
    static final String CLIENT_ID = "JMS_Duramen_ClientId";

    /** Property: the message's JMSMessageID, which a message that is sent on from here has no more. */
    static final String MESSAGE_ID = "JMS_Duramen_MessageId";

    /** Property: how often it was delivered. */
    static final String DELIVERY_COUNT = "JMS_Duramen_DeliveryCount";

    /** Property: {@link Cause} as a word for programs. */
    static final String CAUSE_CODE = "JMS_Duramen_CauseCode";

    /** Property: when it was moved, in milliseconds since 1970. */
    static final String DEAD_AT = "JMS_Duramen_DeadAt";

    private static final List<String> MARKS = List.of(
            AddedProperties.ORIGIN,
            SUBSCRIPTION,
            CLIENT_ID,
            MESSAGE_ID,
            DELIVERY_COUNT,
            CAUSE_CODE,
            AddedProperties.CAUSE,
            DEAD_AT);

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);

    private final RedeliveryPolicies policies;
    private final MoveTargets targets;
    private final Clock clock;
    private final Seldom seldom;
    private long spent;
    private long refused;

    DeadLetters(RedeliveryPolicies policies, MoveTargets targets, Clock clock, Seldom seldom) {
        this.policies = policies;
        this.targets = targets;
        this.clock = clock;
        this.seldom = seldom;
    }

    /**
     * Adds the messages to the open entry.
     *
     * @return false where they have to stay until they can be moved
     */
    boolean move(Subscription from, Undeliverable messages) {
        MovedRecords records = new MovedRecords();
        for (Undeliverable.Message message : messages.messages()) {
            records.add(marked(from, message));
        }
        String queue = policies.of(from.destination()).deadLetterQueue();
        if (!targets.move(records, queue, from)) {
            return false;
        }
        for (Undeliverable.Message message : messages.messages()) {
            if (message.cause() == Cause.REFUSED) {
                refused++;
            } else {
                spent++;
            }
        }
        tell(from, queue, messages);
        return true;
    }

    private void tell(Subscription from, String queue, Undeliverable messages) {
        long times = seldom.happened("dead " + queue, messages.messages().size());
        if (times > 0) {
            Undeliverable.Message last =
                    messages.messages().get(messages.messages().size() - 1);
            LOG.warn(
                    "{} messages of '{}' {}went to the dead letters in queue '{}'; the last: {}",
                    times,
                    from.destination().name(),
                    from.row().name().isEmpty()
                            ? ""
                            : "(subscription '" + from.row().name() + "') ",
                    queue,
                    text(last));
        }
    }

    private ByteBuffer marked(Subscription from, Undeliverable.Message message) {
        SubscriptionRow row = from.row();
        ByteBuffer record = message.record();
        AddedProperties more = new AddedProperties().text(AddedProperties.ORIGIN, row.destination());
        if (!row.name().isEmpty()) {
            more.text(SUBSCRIPTION, row.name());
        }
        if (!row.clientId().isEmpty()) {
            more.text(CLIENT_ID, row.clientId());
        }
        long producer = record.getLong(MessageRecord.ID_PRODUCER_AT);
        long number = record.getLong(MessageRecord.ID_NUMBER_AT);
        if (producer != 0 || number != 0) {
            more.text(MESSAGE_ID, MessageIdText.of(producer, number));
        }
        return more.number(DELIVERY_COUNT, message.deliveries())
                .text(CAUSE_CODE, message.cause().name())
                .text(AddedProperties.CAUSE, text(message))
                .number(DEAD_AT, clock.millis())
                .moved(record);
    }

    /** A dead letter as it was before it became one, but for the times and the dedup id that it has lost. */
    static ByteBuffer unmarked(ByteBuffer record) {
        AddedProperties less = new AddedProperties();
        MARKS.forEach(less::without);
        return less.moved(record);
    }

    private static String text(Undeliverable.Message message) {
        String what = message.cause() == Cause.REFUSED
                ? "refused by its consumer"
                : "delivered " + message.deliveries() + " times and never accepted";
        return message.reason().isEmpty() ? what : what + ": " + message.reason();
    }

    /** Messages since the start that were delivered too often. */
    long spent() {
        return spent;
    }

    /** Messages since the start that were refused. */
    long refused() {
        return refused;
    }
}
