package io.duramen.simulation.invariant;

import io.duramen.protocol.ErrorCode;
import io.duramen.simulation.broker.Attachment;
import io.duramen.simulation.broker.Observer;
import io.duramen.simulation.message.TestMessage;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Of a transaction all messages are seen, or none; all where it was promised, none where its application was told of a rollback. */
public final class TransactionsAreWhole implements Observer {
    private static final class Transaction {
        private final Set<TestMessage> unseen = new HashSet<>();
        private boolean asked;
        private boolean seen;
        private boolean promised;
        private boolean rolledBack;
    }

    private final Map<Long, Transaction> transactions = new LinkedHashMap<>();

    @Override
    public void committing(TransactionView view) {
        long id = view.sent().get(0).messages().get(0).transaction();
        Transaction transaction = transaction(id);
        if (!transaction.asked) {
            transaction.asked = true;
            view.sent().forEach(batch -> transaction.unseen.addAll(batch.messages()));
            if (transaction.unseen.stream().filter(TestMessage::hasDedupId).count() > 1) {
                // Each stands for itself, and may be left out; those without go together.
                transaction.unseen.removeIf(TestMessage::hasDedupId);
            }
        }
    }

    /** One may be rolled back whose commit never arrived, or only does so later. */
    private Transaction transaction(long id) {
        return transactions.computeIfAbsent(id, none -> new Transaction());
    }

    @Override
    public void committed(TransactionView view, Optional<ErrorCode> refusal) {
        if (refusal.isEmpty()) {
            foundCommitted(view);
        }
    }

    @Override
    public void foundCommitted(TransactionView view) {
        long id = view.sent().get(0).messages().get(0).transaction();
        Transaction transaction = transactions.get(id);
        if (view.sent().get(0).messages().stream().noneMatch(TestMessage::mayBeRepeat)) {
            transaction.promised = true;
            requireOneOutcome(id, transaction);
        }
    }

    @Override
    public void branchCommitted(long id) {
        Transaction transaction = transactions.get(id);
        if (transaction.unseen.stream().noneMatch(TestMessage::mayBeRepeat)) {
            transaction.promised = true;
            requireOneOutcome(id, transaction);
        }
    }

    @Override
    public void rolledBack(long id) {
        Transaction transaction = transaction(id);
        transaction.rolledBack = true;
        requireOneOutcome(id, transaction);
    }

    private static void requireOneOutcome(long id, Transaction transaction) {
        if (transaction.rolledBack && (transaction.seen || transaction.promised)) {
            throw new AssertionError("transaction " + id + " happened, and its application was told of a rollback");
        }
    }

    @Override
    public void delivering(Attachment attachment, Delivery delivery) {
        if (delivery.message().transaction() != 0) {
            Transaction transaction = transactions.get(delivery.message().transaction());
            transaction.seen = true;
            transaction.unseen.remove(delivery.message());
            requireOneOutcome(delivery.message().transaction(), transaction);
        }
    }

    @Override
    public void atRest() {
        transactions.forEach((id, transaction) -> {
            if ((transaction.seen || transaction.promised) && !transaction.unseen.isEmpty()) {
                throw new AssertionError("of transaction " + id + " these were never seen: " + transaction.unseen);
            }
        });
    }
}
