package io.duramen.node.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenXAConnectionFactory;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XASession;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.Test;

/** Chapter 11, what application servers use. */
class ApplicationServersTest extends OnANode {
    /** As many sessions as there are messages in hand, each with a thread of its own for each start. */
    private final class Pool implements ServerSessionPool {
        final BlockingQueue<ServerSession> free = new LinkedBlockingQueue<>();
        final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

        Pool(int size, int mode, Work work) throws JMSException {
            for (int i = 0; i < size; i++) {
                Session own = connection.createSession(mode);
                own.setMessageListener(message -> {
                    try {
                        seen.add(text(message));
                        work.on(own, message);
                    } catch (JMSException e) {
                        seen.add(e.toString());
                    }
                });
                free.add(new Server(own));
            }
        }

        @Override
        public ServerSession getServerSession() throws JMSException {
            try {
                return free.take();
            } catch (InterruptedException e) {
                throw new JMSException("interrupted");
            }
        }

        /** Back in the pool once it has run. */
        private final class Server implements ServerSession {
            private final Session own;

            Server(Session own) {
                this.own = own;
            }

            @Override
            public Session getSession() {
                return own;
            }

            @Override
            public void start() {
                new Thread(() -> {
                            own.run();
                            free.add(this);
                        })
                        .start();
            }
        }

        String next() throws InterruptedException {
            return seen.poll(PATIENCE, TimeUnit.MILLISECONDS);
        }
    }

    @FunctionalInterface
    private interface Work {
        void on(Session own, Message message) throws JMSException;
    }

    @Test
    @Section({"11.2.1", "11.2.4", "11.2.5"})
    void shouldLoadMessagesIntoTheSessionsOfAPool() throws Exception {
        Pool pool = new Pool(3, Session.AUTO_ACKNOWLEDGE, (own, message) -> {});
        ConnectionConsumer consumer = connection.createConnectionConsumer(queue, null, pool, 2);
        assertThat(consumer.getServerSessionPool()).isSameAs(pool);
        TreeSet<String> expected = new TreeSet<>();
        for (int i = 0; i < 50; i++) {
            send(String.valueOf(i));
            expected.add(String.valueOf(i));
        }
        TreeSet<String> seen = new TreeSet<>();
        while (seen.size() < 50) {
            assertThat(seen.add(pool.next())).isTrue();
        }
        assertThat(seen).isEqualTo(expected);
        consumer.close();
        send("later");
        assertThat(receive(TextMessage.class).getText()).isEqualTo("later");
        assertThat(pool.seen).isEmpty();
    }

    @Test
    @Section("11.2.1")
    void shouldCommitOrRollBackWhatASessionWasLoadedWith() throws Exception {
        Pool pool = new Pool(1, Session.SESSION_TRANSACTED, (own, message) -> {
            if (message.getJMSRedelivered()) {
                own.commit();
            } else {
                own.rollback();
            }
        });
        ConnectionConsumer consumer = connection.createConnectionConsumer(queue, null, pool, 5);
        send("a", "b");
        TreeSet<String> twice = new TreeSet<>();
        for (int i = 0; i < 4; i++) {
            twice.add(pool.next() + i);
        }
        assertThat(twice.stream().filter(each -> each.startsWith("a"))).hasSize(2);
        assertThat(pool.seen.poll(MOMENT, TimeUnit.MILLISECONDS)).isNull();
        consumer.close();
        try (MessageConsumer left = session.createConsumer(queue)) {
            assertThat(left.receive(MOMENT)).isNull();
        }
    }

    @Test
    @Section("11.2.4")
    void shouldConsumeTheSubscriptionsOfATopic() throws Exception {
        Pool pool = new Pool(2, Session.AUTO_ACKNOWLEDGE, (own, message) -> {});
        connection.createConnectionConsumer(topic, null, pool, 1);
        connection.createSharedConnectionConsumer(topic, name("shared"), null, pool, 1);
        ConnectionConsumer durable =
                connection.createSharedDurableConnectionConsumer(topic, name("durable"), null, pool, 1);
        assertThatThrownBy(() -> connection.createDurableConnectionConsumer(topic, "s", null, pool, 1))
                .isInstanceOf(jakarta.jms.IllegalStateException.class);
        assertThatThrownBy(() -> connection.createConnectionConsumer(topic, null, null, 1))
                .isInstanceOf(JMSException.class);
        session.createProducer(topic).send(session.createTextMessage("m"));
        for (int i = 0; i < 3; i++) {
            assertThat(pool.next()).isEqualTo("m");
        }
        durable.close();
    }

    @Test
    @Section("11.2.4")
    void shouldTellTheExceptionListenerOfAPoolThatFailsAndKeepTheMessages() throws Exception {
        BlockingQueue<JMSException> told = new LinkedBlockingQueue<>();
        connection.setExceptionListener(told::add);
        connection.createConnectionConsumer(
                queue,
                null,
                () -> {
                    throw new JMSException("the pool is empty");
                },
                1);
        send("m");
        assertThat(told.poll(PATIENCE, TimeUnit.MILLISECONDS)).hasMessageContaining("the pool is empty");
        TextMessage received = receive(TextMessage.class);
        assertThat(received.getText()).isEqualTo("m");
        assertThat(received.getJMSRedelivered()).isFalse();
    }

    @Test
    @Section({"11.3.1", "11.3.2", "11.3.3"})
    void shouldMakeXaSessionsThatWorkWithoutABranch() throws Exception {
        try (XAConnection xa = new DuramenXAConnectionFactory(node.url()).createXAConnection()) {
            xa.start();
            XASession own = xa.createXASession();
            assertThat(own.getTransacted()).isTrue();
            XAResource resource = own.getXAResource();
            assertThat(resource.isSameRM(resource)).isTrue();
            assertThat(resource.recover(XAResource.TMSTARTRSCAN)).isEmpty();
            assertThatThrownBy(own::commit).isInstanceOf(TransactionInProgressException.class);
            assertThatThrownBy(own::rollback).isInstanceOf(TransactionInProgressException.class);
            own.getSession().createProducer(queue).send(own.createTextMessage("m"));
            assertThat(text(own.getSession().createConsumer(queue).receive(PATIENCE)))
                    .isEqualTo("m");
        }
    }

    @Test
    @Section({"11.3.1", "11.3.4", "11.4"})
    void shouldMakeXaContextsAndXaSessionsOfBothDomains() throws Exception {
        DuramenXAConnectionFactory factory = new DuramenXAConnectionFactory(node.url());
        try (XAJMSContext context = factory.createXAContext()) {
            context.createProducer().send(queue, "m");
            assertThat(context.getContext().createConsumer(queue).receiveBody(String.class, PATIENCE))
                    .isEqualTo("m");
            assertThat(context.getTransacted()).isTrue();
            assertThatThrownBy(() -> context.getXAResource().start(null, 0)).isInstanceOf(XAException.class);
            assertThatThrownBy(context::commit).isInstanceOf(jakarta.jms.TransactionInProgressRuntimeException.class);
        }
        try (var queues = factory.createXAQueueConnection();
                var topics = factory.createXATopicConnection()) {
            var queueSession = queues.createXAQueueSession().getQueueSession();
            queueSession.createSender(queue).send(queueSession.createTextMessage("q"));
            assertThat(receive(TextMessage.class).getText()).isEqualTo("q");
            assertThatThrownBy(() ->
                            topics.createXATopicSession().getTopicSession().createQueue("q"))
                    .isInstanceOf(jakarta.jms.IllegalStateException.class);
        }
    }
}
