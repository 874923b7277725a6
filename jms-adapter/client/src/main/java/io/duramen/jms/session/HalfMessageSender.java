package io.duramen.jms.session;

import io.duramen.jms.link.Call;
import io.duramen.jms.link.JmsErrors;
import io.duramen.protocol.frame.HalfId;
import io.duramen.protocol.frame.PrepareHalf;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.List;

/**
 * Sends messages that belong to a transaction of another system, for those who cannot use XA: first the message, whole and on
 * disk but seen by nobody; then that transaction; then a word to the node that makes the message seen, or drops it. Where the
 * word does not come, the node asks a {@link HalfMessageChecker} of the same group. One thread at a time; {@link #confirm} and
 * {@link #cancel} from any.
 *
 * <pre>
 *   HalfMessage half = sender.prepare(queue, message);
 *   try (Connection database = source.getConnection()) {
 *       … the work, and half.id() in one of its rows …
 *       database.commit();
 *   }                                                      // where this fails: half.cancel()
 *   half.confirm();
 * </pre>
 */
public final class HalfMessageSender implements AutoCloseable {
    private static final int CATALOGUE = 0;

    private final DuramenConnection connection;
    private final DuramenSession session;
    private final MessageProducer producer;
    private final String group;
    private long checkAfterMillis;

    HalfMessageSender(DuramenConnection connection, DuramenSession session, String group) throws JMSException {
        this.connection = connection;
        this.session = session;
        this.producer = session.createProducer(null);
        this.group = group;
    }

    /** Has the node get ready. */
    void open() throws JMSException {
        PrepareHalf.Request nothing = new PrepareHalf.Request(CATALOGUE, new HalfId(0, 0), group, 0, List.of());
        Call.ask(connection.conversation().link(), nothing, PrepareHalf.Response.class);
    }

    public String group() {
        return group;
    }

    /** For making messages and naming destinations; what is sent and received by it otherwise never happens. */
    public Session session() {
        return session;
    }

    /**
     * Sets how long the work may take before anybody is asked what became of a message; zero, the default, for the node's
     * {@code broker.half-check-after}.
     */
    public void setCheckAfter(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("a check " + time + " after the message");
        }
        checkAfterMillis = time.toMillis();
    }

    /**
     * Stores a message; on disk when this returns, in spite of a delivery mode that asks for less. It has its JMSMessageID and
     * times from now on, and its place in its queue when it is confirmed.
     *
     * @throws JMSException where the node refuses; or where its answer does not come: then it may be stored, nobody can
     *     confirm it, and it is asked after or parked
     */
    public HalfMessage prepare(Destination to, Message message) throws JMSException {
        HalfPlace[] place = new HalfPlace[1];
        session.alone("prepare", () -> {
            try {
                producer.send(to, message);
                place[0] = store();
            } catch (JMSException e) {
                if (JmsErrors.OUTCOME_UNKNOWN.equals(e.getErrorCode())) {
                    session.transaction().outbox().clear(); // it may be stored, and then needs its body
                } else {
                    session.transaction().outbox().giveUp();
                }
                throw e;
            }
        });
        return new HalfMessage(this, place[0].toString());
    }

    private HalfPlace store() throws JMSException {
        var outbox = session.transaction().outbox();
        int shard = outbox.shards().get(0);
        HalfPlace place = new HalfPlace(shard, new HalfId(Conversation.randomId(), Conversation.randomId()));
        Call.ask(
                connection.conversation().link(),
                new PrepareHalf.Request(shard, place.id(), group, checkAfterMillis, outbox.batches(shard)),
                PrepareHalf.Response.class);
        outbox.clear();
        return place;
    }

    /**
     * Makes the message seen, behind all that are in its queue or topic by then; on disk when this returns. Once it has, the
     * same again does nothing.
     *
     * @param id of a {@link HalfMessage}, of whichever sender
     * @throws JMSException an IllegalStateException with the error code HALF_ENDED where it was cancelled or parked; with the
     *     code HALF_NOT_FOUND where it never was stored, or ended longer ago than {@code broker.half-remembered}; where the
     *     answer does not come, it may be said again
     */
    public void confirm(String id) throws JMSException {
        HalfPlace.parse(id).end(connection.conversation().link(), true);
    }

    /**
     * Drops the message. Once it has, the same again does nothing.
     *
     * @throws JMSException as {@link #confirm}: HALF_ENDED where it was confirmed or parked
     */
    public void cancel(String id) throws JMSException {
        HalfPlace.parse(id).end(connection.conversation().link(), false);
    }

    /** Half messages stay what they are. */
    @Override
    public void close() throws JMSException {
        session.close();
    }
}
