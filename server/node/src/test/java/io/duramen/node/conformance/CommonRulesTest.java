package io.duramen.node.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenXAConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.TopicConnection;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.Test;

/** What holds everywhere: which objects many threads may use, what administered objects are, which exception says what. */
class CommonRulesTest extends OnANode {
    @Test
    @Section({"2.14", "5.2", "5.3", "6.1", "6.2.14"})
    void shouldLetManyThreadsUseAConnectionAtOnce() throws Exception {
        CyclicBarrier together = new CyclicBarrier(4);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(inBackground(() -> {
                for (int round = 0; round < 10; round++) {
                    together.await();
                    try (Session own = connection.createSession()) {
                        own.createProducer(queue).send(own.createTextMessage("m"));
                        connection.start();
                        assertThat(own.createConsumer(queue).receive(PATIENCE)).isNotNull();
                    }
                }
            }));
        }
        for (CompletableFuture<Void> each : all) {
            each.get(PATIENCE, TimeUnit.MILLISECONDS);
        }
    }

    @Test
    @Section("6.2.14")
    void shouldRunListenersOfDifferentSessionsAtTheSameTime() throws Exception {
        CyclicBarrier both = new CyclicBarrier(3);
        for (int i = 0; i < 2; i++) {
            Session own = connection.createSession();
            var each = own.createQueue(name("each"));
            session.createProducer(each).send(session.createMessage());
            own.createConsumer(each).setMessageListener(message -> {
                try {
                    both.await(); // the other one is in its listener, too
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
        }
        both.await(PATIENCE, TimeUnit.MILLISECONDS);
    }

    @Test
    @Section("5.1")
    void shouldHaveAdministeredObjectsThatCanBeStoredInANamespace() {
        for (Object administered : List.of(factory(), new DuramenXAConnectionFactory(node.url()), queue, topic)) {
            assertThat(administered)
                    .isInstanceOf(javax.naming.Referenceable.class)
                    .isInstanceOf(java.io.Serializable.class);
        }
    }

    @Test
    @Section("6.2.1")
    void shouldServeManyProducersAndConsumersInOneSession() throws Exception {
        Map<MessageProducer, MessageConsumer> pairs = new LinkedHashMap<>();
        for (int i = 0; i < 5; i++) {
            var each = session.createQueue(name("each"));
            pairs.put(session.createProducer(each), session.createConsumer(each));
        }
        int count = 0;
        for (MessageProducer producer : pairs.keySet()) {
            producer.send(session.createTextMessage("m" + count++));
        }
        count = 0;
        for (MessageConsumer consumer : pairs.values()) {
            assertThat(text(consumer.receive(PATIENCE))).isEqualTo("m" + count++);
        }
    }

    @Test
    @Section("6.2.4")
    void shouldSendInAnySessionWhateverSessionMadeTheMessage() throws Exception {
        try (Connection other = factory().createConnection()) {
            TextMessage foreign =
                    other.createSession(Session.SESSION_TRANSACTED).createTextMessage("of another session");
            assertThat(through(foreign).getText()).isEqualTo("of another session");
        }
    }

    @Test
    @Section({"6.2.9.1", "6.2.9.2"})
    void shouldKeepTheOrderOfASessionWhicheverOfItsProducersSends() throws Exception {
        List<MessageProducer> producers = List.of(session.createProducer(queue), session.createProducer(queue));
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        MessageProducer inTransactions = transacted.createProducer(topic);
        MessageConsumer subscriber = session.createConsumer(topic);
        for (int i = 0; i < 60; i++) {
            producers.get(i % 2).send(session.createTextMessage(String.valueOf(i)));
            inTransactions.send(transacted.createTextMessage(String.valueOf(i)));
            if (i % 7 == 0) {
                transacted.commit();
            }
        }
        transacted.commit();
        MessageConsumer consumer = session.createConsumer(queue);
        for (int i = 0; i < 60; i++) {
            assertThat(text(consumer.receive(PATIENCE))).isEqualTo(String.valueOf(i));
            assertThat(text(subscriber.receive(PATIENCE))).isEqualTo(String.valueOf(i));
        }
    }

    private static void fails(Class<? extends Throwable> with, Action action) {
        assertThatThrownBy(action::run).isInstanceOf(with);
    }

    @Test
    @Section("10.3")
    void shouldSayWithTheExceptionThatMustBeWhatIsWrongWithACall() throws Exception {
        fails(IllegalStateException.class, session::commit);
        try (TopicConnection topics = factory().createTopicConnection()) {
            fails(
                    IllegalStateException.class,
                    () -> topics.createTopicSession(false, 1).createBrowser(queue));
        }
        fails(JMSSecurityException.class, () -> factory().createConnection("nobody", "guess"));
        fails(InvalidDestinationException.class, () -> session.createConsumer(null));
        fails(InvalidSelectorException.class, () -> session.createConsumer(queue, "a ="));
        try (Connection one = factory().createConnection();
                Connection other = factory().createConnection()) {
            one.setClientID("taken");
            fails(InvalidClientIDException.class, () -> other.setClientID("taken"));
            fails(InvalidClientIDException.class, () -> other.setClientID(""));
        }
        try (JMSContext context = factory().createContext();
                JMSContext holder = factory().createContext()) {
            holder.setClientID("taken");
            fails(InvalidClientIDRuntimeException.class, () -> context.setClientID("taken"));
            fails(IllegalStateRuntimeException.class, context::commit);
            fails(JMSSecurityRuntimeException.class, () -> factory().createContext("nobody", "guess"));
            fails(InvalidDestinationRuntimeException.class, () -> context.createConsumer(null));
            fails(InvalidSelectorRuntimeException.class, () -> context.createConsumer(queue, "a ="));
        }
        try (XAConnection branches = new DuramenXAConnectionFactory(node.url()).createXAConnection()) {
            XASession own = branches.createXASession();
            own.getXAResource().start(new XaBranchesTest.TestXid(name("global"), ""), XAResource.TMNOFLAGS);
            fails(TransactionInProgressException.class, own::commit);
            fails(TransactionInProgressException.class, own::rollback);
        }
    }

    @Test
    @Section("10.3")
    void shouldSayWithTheExceptionThatMustBeWhatIsWrongWithAMessage() throws Exception {
        BytesMessage bytes = session.createBytesMessage();
        StreamMessage stream = session.createStreamMessage();
        fails(MessageNotReadableException.class, bytes::readByte);
        fails(MessageNotReadableException.class, stream::readByte);
        fails(MessageFormatException.class, () -> stream.writeObject(new ArrayList<>()));
        fails(MessageFormatException.class, () -> bytes.writeObject(new ArrayList<>()));
        fails(MessageFormatException.class, () -> stream.setObjectProperty("list", new ArrayList<>()));
        stream.writeBoolean(true);
        stream.reset();
        fails(MessageFormatException.class, stream::readShort);
        assertThat(stream.readBoolean()).isTrue();
        fails(MessageEOFException.class, stream::readShort);
        bytes.reset();
        fails(MessageEOFException.class, bytes::readByte);
        fails(MessageNotWriteableException.class, () -> bytes.writeByte((byte) 1));
        Message received = through(session.createTextMessage("m"));
        fails(MessageNotWriteableException.class, () -> received.setStringProperty("p", "v"));
        fails(MessageNotWriteableException.class, () -> ((TextMessage) received).setText("other"));
    }
}
