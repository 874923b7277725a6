package io.duramen.jms.session;

import io.duramen.jms.delivery.Owing;
import io.duramen.jms.delivery.Settlement;
import io.duramen.jms.link.Call;
import io.duramen.jms.link.JmsErrors;
import io.duramen.jms.link.Link;
import io.duramen.jms.publishing.Completions;
import io.duramen.jms.publishing.SessionIdentity;
import io.duramen.jms.publishing.TransactedOutbox;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Commit;
import jakarta.jms.JMSException;
import jakarta.jms.TransactionRolledBackException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * One thread at a time. The transaction that a session is in: what it has sent stands in the outbox, what it was given
 * stands in its feeds, and one Commit frame tells the node of both. When the connection is lost before its answer came,
 * the link repeats that frame with the same sequence, and the node answers as it did or would have done.
 */
final class Transaction {
    private final Link link;
    private final SessionIdentity identity;
    private final Completions completions;
    private final TransactedOutbox outbox;
    private long lastSequence;

    Transaction(Link link, SessionIdentity identity, Completions completions) {
        this.link = link;
        this.identity = identity;
        this.completions = completions;
        this.outbox = new TransactedOutbox(link, completions);
    }

    TransactedOutbox outbox() {
        return outbox;
    }

    void commit(Collection<? extends Owing> feeds) throws JMSException {
        completions.awaitAll();
        Map<Owing, List<Commit.ConsumerSettlement>> given = new LinkedHashMap<>();
        TreeSet<Integer> shards = new TreeSet<>(outbox.shards());
        for (Owing feed : feeds) {
            List<Commit.ConsumerSettlement> settlements = feed.given();
            if (!settlements.isEmpty()) {
                given.put(feed, settlements);
                shards.add(feed.shard());
            }
        }
        if (shards.isEmpty()) {
            return;
        }
        if (shards.size() > 1) {
            throw JmsErrors.missing("a transaction over shards " + shards);
        }
        ask(shards.first(), given, feeds);
        outbox.clear();
        given.forEach((feed, settlements) -> settlements.forEach(feed::committed));
    }

    private void ask(int shard, Map<Owing, List<Commit.ConsumerSettlement>> given, Collection<? extends Owing> feeds)
            throws JMSException {
        List<Commit.ConsumerSettlement> settlements = new ArrayList<>();
        given.values().forEach(settlements::addAll);
        try {
            Call.ask(
                    link,
                    new Commit.Request(
                            shard, identity.producerId(), 0, ++lastSequence, outbox.batches(shard), settlements),
                    Commit.Response.class);
        } catch (JMSException e) {
            if (e instanceof TransactionRolledBackException
                    || ErrorCode.CONSUMER_NOT_FOUND.name().equals(e.getErrorCode())) {
                throw rolledBack(e, feeds);
            }
            throw e;
        }
    }

    /** The node no longer lends us what the transaction accepts: it cannot commit any more. */
    private JMSException rolledBack(JMSException cause, Collection<? extends Owing> feeds) {
        TransactionRolledBackException rolledBack = cause instanceof TransactionRolledBackException already
                ? already
                : JmsErrors.caused(new TransactionRolledBackException(cause.getMessage(), cause.getErrorCode()), cause);
        try {
            rollback(feeds);
        } catch (JMSException e) {
            rolledBack.addSuppressed(e);
        }
        return rolledBack;
    }

    void rollback(Collection<? extends Owing> feeds) throws JMSException {
        completions.awaitAll();
        outbox.clear();
        Settlement.giveBack(link, feeds);
    }
}
