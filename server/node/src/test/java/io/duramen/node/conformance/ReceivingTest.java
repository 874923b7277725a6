package io.duramen.node.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Chapter 8, receiving, and 3.8, selection. */
class ReceivingTest extends OnANode {
    private void publish(String... texts) throws JMSException {
        for (String text : texts) {
            session.createProducer(topic).send(session.createTextMessage(text));
        }
    }

    private static Connection identified() throws JMSException {
        Connection connection = factory().createConnection();
        connection.setClientID(name("client"));
        connection.start();
        return connection;
    }

    @Test
    @Section({"8.2", "4.1.2"})
    void shouldGiveEachMessageOfAQueueToOneConsumer() throws Exception {
        MessageConsumer first = session.createConsumer(queue);
        MessageConsumer second = connection.createSession().createConsumer(queue);
        send("a", "b", "c", "d");
        TreeSet<String> all = new TreeSet<>();
        while (all.size() < 4) {
            for (MessageConsumer each : new MessageConsumer[] {first, second}) {
                Message next = each.receive(MOMENT);
                assertThat(next == null || all.add(text(next))).isTrue();
            }
        }
        assertThat(first.receiveNoWait()).isNull();
        assertThat(second.receiveNoWait()).isNull();
    }

    @Test
    @Section({"3.8.1", "8.2"})
    void shouldSelectByHeadersAndPropertiesAndLeaveTheRest() throws Exception {
        for (int i = 0; i < 4; i++) {
            TextMessage message = session.createTextMessage(String.valueOf(i));
            message.setIntProperty("number", i);
            message.setJMSType(i % 2 == 0 ? "even" : "odd");
            send(message);
        }
        try (MessageConsumer odd = session.createConsumer(queue, "JMSType = 'odd' AND number > 1")) {
            assertThat(odd.getMessageSelector()).isEqualTo("JMSType = 'odd' AND number > 1");
            assertThat(text(odd.receive(PATIENCE))).isEqualTo("3");
            assertThat(odd.receive(MOMENT)).isNull();
        }
        try (MessageConsumer rest = session.createConsumer(queue, "")) {
            assertThat(rest.getMessageSelector()).isNull();
            assertThat(text(rest.receive(PATIENCE))).isEqualTo("0");
            assertThat(text(rest.receive(PATIENCE))).isEqualTo("1");
        }
        assertThatThrownBy(() -> session.createConsumer(queue, "number ="))
                .isInstanceOf(InvalidSelectorException.class);
    }

    @Test
    @Section({"8.3.1", "4.2.2"})
    void shouldGiveANonDurableSubscriberWhatComesWhileItIsThere() throws Exception {
        publish("before");
        MessageConsumer first = session.createConsumer(topic);
        MessageConsumer second = session.createConsumer(topic);
        publish("during");
        assertThat(text(first.receive(PATIENCE))).isEqualTo("during");
        assertThat(text(second.receive(PATIENCE))).isEqualTo("during");
        first.close();
        publish("after");
        MessageConsumer later = session.createConsumer(topic);
        assertThat(later.receive(MOMENT)).isNull();
    }

    @Test
    @Section({"8.3.1", "8.3.3"})
    void shouldNotGiveWhatItsOwnConnectionPublishedWhereToldNotTo() throws Exception {
        try (Connection other = identified()) {
            Session own = other.createSession();
            MessageConsumer foreign = own.createConsumer(topic, null, true);
            TopicSubscriber durable = own.createDurableSubscriber(topic, "s", null, true);
            assertThat(durable.getNoLocal()).isTrue();
            own.createProducer(topic).send(own.createTextMessage("own"));
            publish("another's");
            assertThat(text(foreign.receive(PATIENCE))).isEqualTo("another's");
            assertThat(text(durable.receive(PATIENCE))).isEqualTo("another's");
        }
    }

    @Test
    @Section("8.3.2")
    void shouldShareANonDurableSubscriptionUntilItsLastConsumerIsGone() throws Exception {
        String name = name("shared");
        MessageConsumer first = session.createSharedConsumer(topic, name);
        MessageConsumer second = connection.createSession().createSharedConsumer(topic, name);
        Topic another = session.createTopic(name("another"));
        assertThatThrownBy(() -> session.createSharedConsumer(another, name)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session.createSharedConsumer(topic, name, "a = 1"))
                .isInstanceOf(JMSException.class);
        publish("a", "b");
        TreeSet<String> all = new TreeSet<>();
        while (all.size() < 2) {
            for (MessageConsumer each : new MessageConsumer[] {first, second}) {
                Message next = each.receive(MOMENT);
                assertThat(next == null || all.add(text(next))).isTrue();
            }
        }
        first.close();
        second.close();
        publish("lost");
        assertThat(session.createSharedConsumer(topic, name).receive(MOMENT)).isNull();
    }

    @Test
    @Section("8.3.3")
    void shouldKeepForADurableSubscriptionWhatComesWhileNobodyIsThere() throws Exception {
        assertThatThrownBy(() -> session.createDurableConsumer(topic, "s")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createDurableConsumer(null, "s"))
                .isInstanceOf(InvalidDestinationException.class);
        try (Connection other = identified()) {
            Session own = other.createSession();
            own.createDurableConsumer(topic, "s").close();
            publish("kept");
            MessageConsumer again = own.createDurableConsumer(topic, "s");
            assertThat(text(again.receive(PATIENCE))).isEqualTo("kept");
            assertThatThrownBy(() -> own.createDurableConsumer(topic, "s")).isInstanceOf(JMSException.class);
            assertThatThrownBy(() -> own.unsubscribe("s")).isInstanceOf(JMSException.class);
            again.close();
            publish("forgotten");
            own.unsubscribe("s");
            assertThatThrownBy(() -> own.unsubscribe("s")).isInstanceOf(InvalidDestinationException.class);
            assertThat(own.createDurableConsumer(topic, "s").receive(MOMENT)).isNull();
        }
    }

    @Test
    @Section("8.3.3")
    void shouldReplaceADurableSubscriptionThatIsMadeDifferently() throws Exception {
        try (Connection other = identified()) {
            Session own = other.createSession();
            own.createDurableConsumer(topic, "s").close();
            publish("of the old one");
            own.createDurableConsumer(topic, "s", "number = 1", false).close();
            MessageConsumer again = own.createDurableConsumer(topic, "s", "number = 1", false);
            TextMessage one = session.createTextMessage("one");
            one.setIntProperty("number", 1);
            publish("none");
            session.createProducer(topic).send(one);
            assertThat(text(again.receive(PATIENCE))).isEqualTo("one");
        }
    }

    @Test
    @Section("8.3.4")
    void shouldShareADurableSubscriptionWithOrWithoutAClientId() throws Exception {
        String name = name("shared");
        MessageConsumer first = session.createSharedDurableConsumer(topic, name);
        MessageConsumer second = connection.createSession().createSharedDurableConsumer(topic, name);
        first.close();
        second.close();
        publish("kept");
        MessageConsumer again = session.createSharedDurableConsumer(topic, name);
        assertThat(text(again.receive(PATIENCE))).isEqualTo("kept");
        Topic another = session.createTopic(name("another"));
        assertThatThrownBy(() -> session.createSharedDurableConsumer(another, name))
                .isInstanceOf(JMSException.class);
        again.close();
        session.unsubscribe(name);
    }

    @Test
    @Section({"8.3.2", "8.3.3", "8.3.4"})
    void shouldNeedANameForANamedSubscription() throws Exception {
        try (Connection other = identified()) {
            Session own = other.createSession();
            for (String none : new String[] {null, ""}) {
                assertThatThrownBy(() -> own.createSharedConsumer(topic, none)).isInstanceOf(JMSException.class);
                assertThatThrownBy(() -> own.createDurableConsumer(topic, none)).isInstanceOf(JMSException.class);
                assertThatThrownBy(() -> own.createSharedDurableConsumer(topic, none))
                        .isInstanceOf(JMSException.class);
            }
            assertThatThrownBy(() -> own.createSharedDurableConsumer(own.createTemporaryTopic(), "s"))
                    .isInstanceOf(InvalidDestinationException.class);
        }
    }

    @Test
    @Section({"8.1", "8.5"})
    void shouldReceiveNowOrInTimeOrNotAtAll() throws Exception {
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(consumer.receiveNoWait()).isNull();
        assertThat(consumer.receive(MOMENT)).isNull();
        send("a", "b", "c");
        assertThat(text(consumer.receiveNoWait())).isEqualTo("a");
        assertThat(text(consumer.receive(PATIENCE))).isEqualTo("b");
        assertThat(text(consumer.receive())).isEqualTo("c");
        assertThat(consumer.getMessageListener()).isNull();
    }

    @Test
    @Section("4.2.4")
    void shouldTakeTheNamesThatEveryProviderTakes() throws Exception {
        String name = name("N-a_m.e") + "x".repeat(100);
        String longest = name + "y".repeat(128 - name.length());
        session.createSharedDurableConsumer(topic, longest).close();
        session.unsubscribe(longest);
    }

    @Test
    @Section("10.2")
    void shouldSayWithACodeWhatWentWrong() {
        assertThatThrownBy(() -> session.createConsumer(queue, "="))
                .isInstanceOfSatisfying(InvalidSelectorException.class, e -> {
                    assertThat(e.getErrorCode()).isEqualTo("INVALID_SELECTOR");
                    assertThat(e.getLinkedException()).isNotNull();
                });
    }

    @Test
    @Section("8.6")
    void shouldReceiveBodiesAndLeaveWhatCannotBeOne() throws Exception {
        try (JMSContext context = factory().createContext()) {
            JMSConsumer consumer = context.createConsumer(queue);
            send("text");
            assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("text");
            context.createProducer().send(queue, Map.of("a", 1)).send(queue, new byte[] {1});
            assertThat((Object) consumer.receiveBody(Map.class, PATIENCE)).isEqualTo(Map.of("a", 1));
            assertThatThrownBy(() -> consumer.receiveBody(String.class, PATIENCE))
                    .isInstanceOf(MessageFormatRuntimeException.class);
            assertThat(consumer.receiveBodyNoWait(byte[].class)).isEqualTo(new byte[] {1});
            send(session.createMessage());
            assertThatThrownBy(() -> consumer.receiveBody(String.class, PATIENCE))
                    .isInstanceOf(MessageFormatRuntimeException.class);
            assertThat(consumer.receive(PATIENCE).getJMSRedelivered()).isFalse();
            assertThat(consumer.receiveBodyNoWait(String.class)).isNull();
        }
    }

    @Test
    @Section({"8.7", "6.2.6"})
    void shouldLetAContextHaveASecondListenerWhileTheFirstRuns() throws Exception {
        java.util.concurrent.BlockingQueue<String> seen = new java.util.concurrent.LinkedBlockingQueue<>();
        try (JMSContext context = factory().createContext()) {
            context.createConsumer(queue).setMessageListener(message -> seen.add("first"));
            context.createConsumer(topic).setMessageListener(message -> seen.add("second"));
            send("m");
            publish("m");
            assertThat(java.util.List.of(seen.take(), seen.take())).containsExactlyInAnyOrder("first", "second");
            assertThatThrownBy(() -> context.createConsumer(queue).receiveNoWait())
                    .isInstanceOf(IllegalStateRuntimeException.class);
        }
    }

    @Test
    @Section("8.8")
    void shouldLetAListenerCloseItsOwnConsumer() throws Exception {
        java.util.concurrent.BlockingQueue<Object> seen = new java.util.concurrent.LinkedBlockingQueue<>();
        send("a", "b");
        MessageConsumer consumer = session.createConsumer(queue);
        consumer.setMessageListener(message -> {
            try {
                consumer.close();
                seen.add(text(message));
            } catch (JMSException e) {
                seen.add(e);
            }
        });
        assertThat(seen.take()).isEqualTo("a");
        MessageConsumer next = connection.createSession().createConsumer(queue);
        Message left = next.receive(PATIENCE);
        assertThat(text(left)).isEqualTo("b");
        assertThat(left.getJMSRedelivered()).isFalse();
        assertThat(next.receive(MOMENT)).isNull();
    }
}
