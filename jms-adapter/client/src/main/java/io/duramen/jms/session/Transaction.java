package io.duramen.jms.session;

import io.duramen.jms.body.BodySender;
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
import io.duramen.protocol.frame.TransactionOutcome;
import jakarta.jms.IllegalStateException;
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
 * stands in its owings, and one Commit frame tells the node of both. When the connection is lost before its answer came,
 * the link repeats that frame with the same sequence, and the node answers as it did or would have done.
 */
final class Transaction {
    /** Error code of a rollback that comes too late. */
    static final String HAS_COMMITTED = "HAS_COMMITTED";

    /** The shard that knows the names of producers. */
    private static final int NAMES_SHARD = 0;

    private final Link link;
    private final SessionIdentity identity;
    private final Completions completions;
    private final TransactedOutbox outbox;
    private long lastSequence;
    /** A commit whose answer did not come; null where there is none. */
    private InDoubt inDoubt;

    private record InDoubt(TransactionId id, Map<Owing, List<Commit.ConsumerSettlement>> given) {}

    Transaction(Link link, SessionIdentity identity, Completions completions, BodySender bodies) {
        this.link = link;
        this.identity = identity;
        this.completions = completions;
        this.outbox = new TransactedOutbox(link, completions, bodies);
        this.lastSequence = identity.sequencesBeyond();
    }

    TransactedOutbox outbox() {
        return outbox;
    }

    /** @param label what a later incarnation of the producer is told of it; empty for none */
    void commit(Collection<? extends Owing> owings, String label) throws JMSException {
        completions.awaitAll();
        if (inDoubt != null) {
            resolve(owings);
            return;
        }
        Map<Owing, List<Commit.ConsumerSettlement>> given = new LinkedHashMap<>();
        TreeSet<Integer> shards = new TreeSet<>(outbox.shards());
        for (Owing owing : owings) {
            List<Commit.ConsumerSettlement> settlements = owing.given();
            if (!settlements.isEmpty()) {
                given.put(owing, settlements);
                shards.add(owing.shard());
            }
        }
        if (shards.isEmpty() && label.isEmpty()) {
            return;
        }
        if (identity.epoch() > 0) {
            shards.add(NAMES_SHARD); // it knows whether this incarnation still may
        }
        ask(shards, given, label, owings);
        done(given);
    }

    private void done(Map<Owing, List<Commit.ConsumerSettlement>> given) {
        outbox.clear();
        given.forEach((owing, settlements) -> settlements.forEach(owing::committed));
    }

    /** What the transaction does in one shard. */
    private Commit.ShardPart part(int shard, Map<Owing, List<Commit.ConsumerSettlement>> given) {
        List<Commit.ConsumerSettlement> settlements = new ArrayList<>();
        given.forEach((owing, some) -> {
            if (owing.shard() == shard) {
                settlements.addAll(some);
            }
        });
        return new Commit.ShardPart(shard, outbox.batches(shard), settlements);
    }

    /** The first of the shards decides for all. */
    private void ask(
            TreeSet<Integer> shards,
            Map<Owing, List<Commit.ConsumerSettlement>> given,
            String label,
            Collection<? extends Owing> owings)
            throws JMSException {
        Commit.ShardPart first = part(shards.first(), given);
        TransactionId id = new TransactionId(first.shard(), identity.producerId(), identity.epoch(), ++lastSequence);
        List<Commit.ShardPart> others =
                shards.stream().skip(1).map(shard -> part(shard, given)).toList();
        try {
            Call.ask(
                    link,
                    new Commit.Request(
                            id.shard(),
                            id.producerId(),
                            id.epoch(),
                            id.sequence(),
                            first.batches(),
                            first.settlements(),
                            label,
                            others),
                    Commit.Response.class);
        } catch (JMSException e) {
            if (JmsErrors.OUTCOME_UNKNOWN.equals(e.getErrorCode())) {
                inDoubt = new InDoubt(id, given);
                outbox.seal();
                throw new OutcomeUnknownException(id, e);
            }
            if (e instanceof TransactionRolledBackException || isOff(e)) {
                throw rolledBack(e, owings);
            }
            if (ErrorCode.PRODUCER_FENCED.name().equals(e.getErrorCode())) {
                throw fenced(e, owings);
            }
            throw e; // refused, and still open: it may be committed again, or rolled back
        }
    }

    /** The Commit did not leave, or what it settles is no longer ours. */
    private static boolean isOff(JMSException e) {
        return JmsErrors.LINK_LOST.equals(e.getErrorCode())
                || ErrorCode.CONSUMER_NOT_FOUND.name().equals(e.getErrorCode());
    }

    /** Learns the outcome that a commit did not bring: returns where it has committed. */
    private void resolve(Collection<? extends Owing> owings) throws JMSException {
        if (hasCommitted()) {
            return;
        }
        throw rolledBack(
                new TransactionRolledBackException("the transaction of unknown outcome has not committed"), owings);
    }

    /** @throws OutcomeUnknownException where it is still not known */
    private boolean hasCommitted() throws JMSException {
        InDoubt asked = inDoubt;
        TransactionOutcome.Verdict verdict;
        try {
            verdict = asked.id.ask(link);
        } catch (JMSException e) {
            throw new OutcomeUnknownException(asked.id, e);
        }
        inDoubt = null;
        if (verdict == TransactionOutcome.Verdict.FORGOTTEN && identity.epoch() > 0) {
            outbox.giveUp();
            throw new ProducerFencedException(
                    "a newer incarnation has committed since; it was told at its start whether " + asked.id + " was the"
                            + " last",
                    null);
        }
        // Forgotten is impossible without an epoch: this session has sent no later one.
        boolean committed = verdict != TransactionOutcome.Verdict.NOT_COMMITTED;
        if (committed) {
            done(asked.given);
        } else {
            outbox.giveUp();
        }
        return committed;
    }

    /** The node no longer lends us what the transaction accepts: it cannot commit any more. */
    private JMSException rolledBack(JMSException cause, Collection<? extends Owing> owings) {
        TransactionRolledBackException rolledBack = cause instanceof TransactionRolledBackException already
                ? already
                : JmsErrors.caused(new TransactionRolledBackException(cause.getMessage(), cause.getErrorCode()), cause);
        try {
            rollback(owings);
        } catch (JMSException e) {
            rolledBack.addSuppressed(e);
        }
        return rolledBack;
    }

    /** Another incarnation has taken over: none of it happened, and this one is over. */
    private JMSException fenced(JMSException cause, Collection<? extends Owing> owings) {
        ProducerFencedException fenced = new ProducerFencedException(cause.getMessage(), cause);
        try {
            rollback(owings);
        } catch (JMSException e) {
            fenced.addSuppressed(e);
        }
        return fenced;
    }

    /** @throws IllegalStateException where a commit of unknown outcome turns out to have happened */
    void rollback(Collection<? extends Owing> owings) throws JMSException {
        completions.awaitAll();
        if (inDoubt != null && hasCommitted()) {
            throw new IllegalStateException(
                    "the transaction cannot be rolled back: its commit has happened", HAS_COMMITTED);
        }
        outbox.giveUp();
        Settlement.giveBack(link, owings);
    }
}
