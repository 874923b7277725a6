package io.duramen.simulation.invariant;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Publish;
import io.duramen.simulation.broker.Attachment;
import io.duramen.simulation.broker.Observer;
import io.duramen.simulation.message.TestMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Of the messages with one dedup id, whoever sent them and however, at most one is ever seen; and one is, where any of their
 * senders was told that its own is stored. All of them are to be on disk before they are answered.
 */
public final class StoredOnceForAnId implements Observer {
    private final Map<Long, TestMessage> seen = new HashMap<>();
    private final Map<Long, Set<Long>> idsOfTransaction = new HashMap<>();
    private final Set<Long> promised = new TreeSet<>();

    private static void ids(List<TestMessage> messages, Set<Long> to) {
        messages.stream()
                .filter(TestMessage::hasDedupId)
                .map(TestMessage::sender)
                .forEach(to::add);
    }

    @Override
    public void published(
            Publish.Request request, String destination, List<TestMessage> messages, Optional<ErrorCode> refusal) {
        if (refusal.isEmpty()) {
            ids(messages, promised);
        }
    }

    @Override
    public void committing(TransactionView view) {
        Set<Long> ids = idsOfTransaction.computeIfAbsent(
                view.sent().get(0).messages().get(0).transaction(), none -> new TreeSet<>());
        view.sent().forEach(batch -> ids(batch.messages(), ids));
    }

    @Override
    public void committed(TransactionView view, Optional<ErrorCode> refusal) {
        if (refusal.isEmpty()) {
            view.sent().forEach(batch -> ids(batch.messages(), promised));
        }
    }

    @Override
    public void branchCommitted(long transaction) {
        promised.addAll(idsOfTransaction.get(transaction));
    }

    @Override
    public void delivering(Attachment attachment, Delivery delivery) {
        TestMessage message = delivery.message();
        if (message.hasDedupId() && delivery.dead().isEmpty()) {
            TestMessage before = seen.putIfAbsent(message.sender(), message);
            if (before != null && !before.equals(message)) {
                throw new AssertionError(message + " and " + before + " have one dedup id, and both are stored");
            }
        }
    }

    @Override
    public void atRest() {
        promised.removeAll(seen.keySet());
        if (!promised.isEmpty()) {
            throw new AssertionError(
                    "of the dedup ids " + promised + " no message is stored, and some were acknowledged");
        }
    }
}
