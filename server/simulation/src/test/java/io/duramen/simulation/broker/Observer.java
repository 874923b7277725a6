package io.duramen.simulation.broker;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.Settle;
import io.duramen.simulation.message.DeadMark;
import io.duramen.simulation.message.TestMessage;
import java.util.List;
import java.util.Optional;

/**
 * Sees everything at the server's door, in the order in which the server sees and does it: requests as they are put into
 * its inbox, answers and deliveries as it sends them, whether they arrive or not. Throws where an invariant is broken.
 */
public interface Observer {
    /** A batch reached the inbox. */
    default void publishing(Publish.Request request, String destination, List<TestMessage> messages) {}

    /** @param refusal empty where it was accepted */
    default void published(
            Publish.Request request, String destination, List<TestMessage> messages, Optional<ErrorCode> refusal) {}

    /** A transaction, or a branch of a distributed one that is to be prepared, reached the inbox. */
    default void committing(TransactionView transaction) {}

    /** A branch is prepared. */
    default void prepared(TransactionView branch) {}

    /** The word on a branch reached the inbox. */
    default void branchEnding(TransactionView branch) {}

    /** @param refusal empty where it was accepted */
    default void committed(TransactionView transaction, Optional<ErrorCode> refusal) {}

    /** An application learned, otherwise than by its answer, that its transaction has committed. */
    default void foundCommitted(TransactionView transaction) {}

    /** An application was told that its transaction was rolled back. */
    default void rolledBack(long transaction) {}

    /** An application was told that its branch is committed. */
    default void branchCommitted(long transaction) {}

    /** A half message reached the inbox. */
    default void halfPreparing(long sender) {}

    /** Its sender was told that it is stored. */
    default void halfPrepared(long sender) {}

    /** A word about it reached the inbox. */
    default void halfEnding(long sender, boolean confirm) {}

    /** @param refusal empty where the word was obeyed */
    default void halfEnded(long sender, boolean confirm, Optional<ErrorCode> refusal) {}

    /** A consumer asks to join; deliveries to it may follow from here on. */
    default void attaching(Attachment attachment, Attach.Request request) {}

    /** A consumer was let in. */
    default void attached(Attachment attachment, Attach.Request request, Attach.Response response) {}

    /** Credit reached the inbox. */
    default void crediting(Attachment attachment, Credit.Push credit) {}

    /** Credit was taken out of the inbox. */
    default void credited(Attachment attachment, Credit.Push credit) {}

    /** The server took all credit back. */
    default void drained(Attachment attachment) {}

    /** The server asks for what the consumer has not seen; its credit is gone, too. */
    default void recalled(Attachment attachment) {}

    /** The server sends a message. */
    default void delivering(Attachment attachment, Delivery delivery) {}

    /** A settlement reached the inbox. */
    default void settling(Attachment attachment, Settle.Request request) {}

    /** The server promises a settlement. */
    default void settled(Attachment attachment, Settle.Request request, Settle.Response response) {}

    /** The consumer's leaving, or its connection's end, reached the inbox. */
    default void left(Attachment attachment) {}

    /** The durable subscription's end was promised. */
    default void unsubscribed(SubscriptionKey subscription) {}

    /** The durable subscription, which has no consumers, may be at another place from here on. */
    default void seeking(SubscriptionKey subscription) {}

    /** The server is no more; all that was in its inbox is lost. */
    default void died(boolean powerCut) {}

    /** Another leads, without what was appended before and not committed. */
    default void takenBack() {}

    /** The world has come to rest: whatever was accepted must have been dealt with. */
    default void atRest() {}

    /**
     * @param lengthBytes of the record
     * @param dead of a dead letter
     */
    record Delivery(Attachment.Place place, int count, int lengthBytes, TestMessage message, Optional<DeadMark> dead) {}

    /** @param sent by destination's name, in the order of the request's batches */
    record TransactionView(Commit.Request request, List<Sent> sent, List<Accepted> accepted) {}

    record Sent(String destination, int partition, List<TestMessage> messages) {}

    record Accepted(Attachment attachment, Attachment.Place place, TestMessage message) {}
}
