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

/** Of a transaction all messages are seen, or none; all where it was promised, none where it was refused. */
public final class TransactionsAreWhole implements Observer {
    private static final class Transaction {
        private final Set<TestMessage> unseen = new HashSet<>();
        private boolean seen;
        private boolean promised;
        private boolean refused;
    }

    private final Map<Long, Transaction> transactions = new LinkedHashMap<>();

    @Override
    public void committing(TransactionView view) {
        long id = view.sent().get(0).messages().get(0).transaction();
        transactions.computeIfAbsent(id, none -> {
            Transaction transaction = new Transaction();
            view.sent().forEach(batch -> transaction.unseen.addAll(batch.messages()));
            return transaction;
        });
    }

    @Override
    public void committed(TransactionView view, Optional<ErrorCode> refusal) {
        Transaction transaction =
                transactions.get(view.sent().get(0).messages().get(0).transaction());
        if (refusal.isEmpty()) {
            transaction.promised = true;
        } else if (refusal.get() == ErrorCode.LEASE_LOST || refusal.get() == ErrorCode.RESOURCE_EXHAUSTED) {
            transaction.refused = true;
        }
        if (transaction.refused && (transaction.seen || transaction.promised)) {
            throw new AssertionError("a transaction was refused and happened: " + view);
        }
    }

    @Override
    public void delivering(Attachment attachment, Delivery delivery) {
        if (delivery.message().transaction() != 0) {
            Transaction transaction = transactions.get(delivery.message().transaction());
            if (transaction.refused) {
                throw new AssertionError(delivery.message() + " is of a transaction that was refused");
            }
            transaction.seen = true;
            transaction.unseen.remove(delivery.message());
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
