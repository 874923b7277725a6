package io.duramen.acceptance.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.AcknowledgeModes;
import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.DuramenXAConnectionFactory;
import io.duramen.jms.session.DuramenConnection;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * A node's state of all kinds: messages with a dedup id each, durable subscriptions that have settled some of them and not
 * others before, and prepared branches. Used by one thread.
 */
final class RichState {
    private static final String TOPIC = "loss.topic";
    private static final String QUEUE = "loss.branches";
    private static final int IN_FLIGHT = 2000;
    private static final int LOOKED_AT = 20;
    private static final int SAMPLES = 500;
    private static final long PATIENCE_MILLIS = 60_000;

    private final DuramenConnectionFactory factory;
    private final String url;
    private final int messages;
    private final int subscriptions;
    private final int branches;

    RichState(String url, int messages, int subscriptions, int branches) {
        this.url = url;
        this.factory = new DuramenConnectionFactory(url + "?prefetch=50");
        this.messages = messages;
        this.subscriptions = subscriptions;
        this.branches = branches;
    }

    private record BranchName(int number) implements Xid {
        @Override
        public int getFormatId() {
            return 11;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return new byte[] {(byte) number};
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }

    private static MessageConsumer subscribe(Session session, int number) throws JMSException {
        return session.createSharedDurableConsumer(session.createTopic(TOPIC), "sub-" + number);
    }

    void make() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            for (int i = 0; i < subscriptions; i++) {
                subscribe(session, i).close();
            }
        }
        send(0, messages);
        for (int i = 0; i < subscriptions; i++) {
            leaveHoles(i);
        }
        try (XAConnection connection = new DuramenXAConnectionFactory(url).createXAConnection()) {
            for (int i = 0; i < branches; i++) {
                prepare(connection, new BranchName(i));
            }
        }
    }

    private void send(int from, int to) throws JMSException, InterruptedException {
        Semaphore room = new Semaphore(IN_FLIGHT);
        AtomicReference<Exception> failure = new AtomicReference<>();
        CompletionListener listener = new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                room.release();
            }

            @Override
            public void onException(Message message, Exception exception) {
                failure.compareAndSet(null, exception);
                room.release();
            }
        };
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createTopic(TOPIC));
            for (int number = from; number < to; number++) {
                room.acquire();
                Message message = session.createTextMessage("m");
                message.setIntProperty("number", number);
                message.setStringProperty("JMS_Duramen_DedupId", id(number));
                producer.send(message, listener);
            }
            room.acquire(IN_FLIGHT);
        }
        assertThat(failure.get()).isNull();
    }

    private static String id(int number) {
        return "m-" + number;
    }

    /** Settles every other one of the first, and gives the others back. */
    private void leaveHoles(int number) throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(AcknowledgeModes.INDIVIDUAL)) {
            connection.start();
            MessageConsumer consumer = subscribe(session, number);
            for (int i = 0; i < LOOKED_AT; i++) {
                Message message = consumer.receive(PATIENCE_MILLIS);
                assertThat(message.getIntProperty("number")).isEqualTo(i);
                if (i % 2 == 1) {
                    message.acknowledge();
                }
            }
        }
    }

    private static void prepare(XAConnection connection, BranchName branch) throws JMSException, XAException {
        try (XASession session = connection.createXASession()) {
            XAResource resource = session.getXAResource();
            resource.start(branch, XAResource.TMNOFLAGS);
            Message message = session.createTextMessage("branch " + branch.number());
            message.setStringProperty("JMS_Duramen_DedupId", "branch-" + branch.number());
            session.createProducer(session.createQueue(QUEUE)).send(message);
            resource.end(branch, XAResource.TMSUCCESS);
            assertThat(resource.prepare(branch)).isEqualTo(XAResource.XA_OK);
        }
    }

    /** Looks at it, and changes nothing. */
    void check() throws Exception {
        try (DuramenConnection connection = (DuramenConnection) factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Topic topic = session.createTopic(TOPIC);
            for (int i = 0; i < SAMPLES; i++) {
                String id = id((int) ((long) messages * i / SAMPLES));
                assertThat(connection.whenStored(topic, id)).as(id).isPresent();
            }
            assertThat(connection.whenStored(topic, "never")).isEmpty();
        }
        try (XAConnection connection = new DuramenXAConnectionFactory(url).createXAConnection()) {
            XAResource resource = connection.createXASession().getXAResource();
            assertThat(resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN))
                    .hasSize(branches);
        }
    }

    /** Uses it up. */
    void finish() throws Exception {
        send(messages - Math.min(messages, 20_000), messages); // all of them repeats
        try (XAConnection connection = new DuramenXAConnectionFactory(url).createXAConnection()) {
            XAResource resource = connection.createXASession().getXAResource();
            for (int i = 0; i < branches; i++) {
                resource.commit(new BranchName(i), false);
            }
        }
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            try (MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE))) {
                for (int i = 0; i < branches; i++) {
                    assertThat(consumer.receive(PATIENCE_MILLIS).getBody(String.class))
                            .isEqualTo("branch " + i);
                }
            }
            for (int i = 0; i < subscriptions; i++) {
                receive(session, i, i == 0 ? messages : Math.min(messages, 3 * LOOKED_AT));
            }
        }
    }

    private static void receive(Session session, int subscription, int until) throws JMSException {
        try (MessageConsumer consumer = subscribe(session, subscription)) {
            for (int number = 0; number < until; number += number < LOOKED_AT ? 2 : 1) {
                Message message = consumer.receive(PATIENCE_MILLIS);
                assertThat(message.getIntProperty("number"))
                        .as("subscription %d", subscription)
                        .isEqualTo(number);
                if (number < LOOKED_AT) {
                    assertThat(message.getJMSRedelivered()).isTrue();
                }
            }
            if (subscription == 0) {
                assertThat(consumer.receive(500)).isNull();
            }
        }
    }
}
