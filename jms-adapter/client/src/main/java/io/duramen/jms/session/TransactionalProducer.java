package io.duramen.jms.session;

import io.duramen.jms.link.Call;
import io.duramen.jms.publishing.SessionIdentity;
import io.duramen.protocol.frame.InitProducer;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.util.Optional;

/**
 * A producer with a name whose transactions are its own alone, over restarts and in spite of a predecessor that hangs: as
 * Kafka's transactional producer (KIP-98). One thread at a time.
 *
 * <p>What its {@link #session} receives and sends belongs to the transaction, so a consumer of that session, {@link #send} and
 * {@link #commit} make consume-transform-produce: each message that came in is accepted together with what was made of it, or
 * comes again with nothing made of it.
 *
 * <p>Making one ({@link DuramenConnection#createTransactionalProducer}) ends all earlier incarnations of the name: their
 * commits are refused with {@link ProducerFencedException}, what they had open never happens, and {@link #lastTransaction}
 * tells which of theirs was the last to commit, also where they never learned it. The name is remembered for
 * {@code broker.identity-idle} after its last use.
 */
public final class TransactionalProducer implements AutoCloseable {
    /** The shard that knows the names. */
    private static final int SHARD = 0;

    private static final int EPOCH_SHIFT = 32;

    private final String name;
    private final DuramenSession session;
    private final MessageProducer producer;
    private final LastTransaction last;
    private boolean begun;
    private ProducerFencedException fenced;

    /**
     * A transaction that has committed.
     *
     * @param transactionId what {@link OutcomeUnknownException#transactionId} gave where its outcome was unknown
     * @param label that it was committed with; empty for none
     */
    public record LastTransaction(String transactionId, String label) {}

    private TransactionalProducer(String name, DuramenSession session, LastTransaction last) throws JMSException {
        this.name = name;
        this.session = session;
        this.producer = session.createProducer(null);
        this.last = last;
    }

    static TransactionalProducer init(DuramenConnection connection, String name) throws JMSException {
        Conversation conversation = connection.conversation();
        InitProducer.Request request =
                new InitProducer.Request(SHARD, name, Conversation.randomId(), Conversation.randomId());
        InitProducer.Response taken;
        try {
            taken = Call.ask(conversation.link(), request, InitProducer.Response.class);
        } catch (JMSException e) {
            throw ProducerFencedException.of(e);
        }
        SessionIdentity identity = new SessionIdentity(taken.producerId(), taken.epoch(), conversation.nextOwner());
        DuramenSession session = connection.added(
                new DuramenSession(connection, Session.SESSION_TRANSACTED, Demarcation.PRODUCER, identity));
        return new TransactionalProducer(name, session, last(taken));
    }

    private static LastTransaction last(InitProducer.Response taken) {
        long sequence = taken.lastSequence();
        if (sequence == 0) {
            return null;
        }
        TransactionId id = new TransactionId(SHARD, taken.producerId(), (int) (sequence >>> EPOCH_SHIFT), sequence);
        return new LastTransaction(id.toString(), taken.lastLabel());
    }

    public String name() {
        return name;
    }

    /**
     * The transaction that committed last before this incarnation took over, by whichever one before it. Any other that an
     * earlier one was committing has not happened and never will. Empty where none has.
     */
    public Optional<LastTransaction> lastTransaction() {
        return Optional.ofNullable(last);
    }

    /**
     * Makes messages, consumers and, for other delivery modes and delays, producers; whatever they send and receive belongs
     * to the transaction. It is ended by {@link #commit} and {@link #abort} here, not by its own methods.
     */
    public Session session() {
        return session;
    }

    private void checkUsable() throws JMSException {
        if (fenced != null) {
            throw new ProducerFencedException(fenced.getMessage(), fenced);
        }
        session.checkOpen();
    }

    private void checkBegun(String what) throws JMSException {
        checkUsable();
        if (!begun) {
            throw new IllegalStateException(what + " needs a transaction: begin() comes first");
        }
    }

    /**
     * Begins a transaction. What was received since the last one ended belongs to it, too.
     *
     * @throws IllegalStateException where there is one already, or the outcome of its commit is unknown
     */
    public void begin() throws JMSException {
        checkUsable();
        if (begun) {
            throw new IllegalStateException("there is a transaction already: commit() or abort() comes first");
        }
        begun = true;
    }

    /** Sends, persistent, with usual priority and without end. Seen by nobody until the commit. */
    public void send(Destination to, Message message) throws JMSException {
        checkBegun("send");
        producer.send(to, message);
    }

    /** As {@link #send(Destination, Message)}; parameters as {@link MessageProducer} has them. */
    public void send(Destination to, Message message, int deliveryMode, int priority, long timeToLiveMillis)
            throws JMSException {
        checkBegun("send");
        producer.send(to, message, deliveryMode, priority, timeToLiveMillis);
    }

    /** As {@link #commit(String)} without a label. */
    public void commit() throws JMSException {
        commit("");
    }

    /**
     * Makes everything happen at once: on disk when this returns.
     *
     * @param label up to 1,024 bytes in UTF-8 that say how far the work is, as "line 4711": the next incarnation is told of
     *     the last one
     * @throws ProducerFencedException where a newer incarnation has taken over; nothing has happened
     * @throws TransactionRolledBackException where nothing has happened, nor will, and a new transaction may begin
     * @throws OutcomeUnknownException where the answer did not come: call it again to learn it, or let the next incarnation
     *     find out
     * @throws JMSException any other where the node refused; the transaction is still open
     */
    public void commit(String label) throws JMSException {
        checkBegun("commit");
        try {
            session.commit(label);
            begun = false;
        } catch (ProducerFencedException e) {
            throw fenced(e);
        } catch (TransactionRolledBackException e) {
            begun = false;
            throw e;
        }
    }

    /**
     * Makes nothing of it happen. What was received comes again.
     *
     * @throws IllegalStateException where a commit of unknown outcome turns out to have happened
     */
    public void abort() throws JMSException {
        checkBegun("abort");
        try {
            session.abort();
            begun = false;
        } catch (ProducerFencedException e) {
            throw fenced(e);
        } catch (IllegalStateException e) {
            begun &= !Transaction.HAS_COMMITTED.equals(e.getErrorCode());
            throw e;
        }
    }

    private ProducerFencedException fenced(ProducerFencedException e) {
        fenced = e;
        begun = false;
        return e;
    }

    /** Ends a transaction that is open, without effect, and the session. The name stays. */
    @Override
    public void close() throws JMSException {
        session.close();
    }
}
