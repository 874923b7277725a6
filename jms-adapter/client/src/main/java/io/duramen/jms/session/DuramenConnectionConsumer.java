package io.duramen.jms.session;

import io.duramen.jms.delivery.Delivery;
import io.duramen.jms.delivery.Feed;
import io.duramen.jms.delivery.Portion;
import io.duramen.jms.delivery.Settlement;
import io.duramen.jms.destination.DuramenDestination;
import io.duramen.jms.link.JmsErrors;
import io.duramen.protocol.frame.Settle;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread-safe. Loads what arrives into sessions of an application server's pool, on a thread of its own; the pool may
 * make it wait. Where the pool fails, the ExceptionListener is told and nothing more is loaded.
 */
final class DuramenConnectionConsumer implements ConnectionConsumer {
    private static final Logger LOG = LoggerFactory.getLogger(DuramenConnectionConsumer.class);

    private final DuramenConnection connection;
    private final Feed feed;
    private final DuramenDestination destination;
    private final ServerSessionPool pool;
    private final int messagesMax;
    private final Thread thread;
    private volatile boolean closed;

    DuramenConnectionConsumer(
            DuramenConnection connection,
            Feed feed,
            DuramenDestination destination,
            ServerSessionPool pool,
            int messagesMax) {
        this.connection = connection;
        this.feed = feed;
        this.destination = destination;
        this.pool = pool;
        this.messagesMax = messagesMax;
        this.thread = new Thread(this::loop, "duramen-connection-consumer-" + feed.consumerId());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void flowing(boolean now) {
        feed.flowing(now);
    }

    private void loop() {
        try {
            for (List<Delivery> load = next(); !load.isEmpty(); load = next()) {
                load(load);
            }
        } catch (JMSException | RuntimeException e) {
            if (!closed && !connection.isClosed()) {
                JMSException told = e instanceof JMSException known
                        ? known
                        : JmsErrors.caused(new JMSException("the server session pool failed: " + e), e);
                connection.conversation().report(told);
                stop();
            }
        }
    }

    /** @return empty where there will be no more */
    private List<Delivery> next() throws JMSException {
        List<Delivery> load = new ArrayList<>();
        Delivery first = feed.take(0, false);
        for (Delivery next = first; next != null; next = load.size() < messagesMax ? feed.poll(false) : null) {
            load.add(next);
        }
        return load;
    }

    private void load(List<Delivery> load) throws JMSException {
        ServerSession server;
        DuramenSession session;
        try {
            server = pool.getServerSession();
            session = ours(server);
            session.loads().add(feed, destination, load);
        } catch (JMSException | RuntimeException e) {
            release(load);
            throw e;
        }
        server.start();
    }

    private void release(List<Delivery> load) {
        try {
            for (Delivery delivery : load) {
                Portion unseen = new Portion(feed.origin(delivery));
                Settlement.one(connection.conversation().link(), unseen, delivery, Settle.Outcome.RELEASED, "");
            }
        } catch (JMSException e) {
            LOG.debug("What was to be loaded goes back when its leases end", e);
        }
    }

    private DuramenSession ours(ServerSession server) throws JMSException {
        if (server.getSession() instanceof DuramenSession session && session.connection() == connection) {
            session.checkOpen();
            return session;
        }
        throw new IllegalStateException("the pool gave a session that is none of the connection's own");
    }

    /** What was not loaded yet goes back. */
    private void stop() {
        feed.detach(true);
    }

    @Override
    public ServerSessionPool getServerSessionPool() throws JMSException {
        checkOpen();
        return pool;
    }

    private void checkOpen() throws IllegalStateException {
        if (closed || connection.isClosed()) {
            throw new IllegalStateException("the connection consumer is closed");
        }
    }

    /** Sessions keep what they were loaded with. */
    @Override
    public void close() throws JMSException {
        if (closed) {
            return;
        }
        closed = true;
        connection.onClosed(this);
        stop();
        thread.interrupt(); // it may wait for the pool
        feed.awaitDetached();
    }
}
