package io.duramen.jms.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.peer.ScriptedNode;
import io.duramen.jms.peer.Wires;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Close;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.Settle;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.MessageFormatRuntimeException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ContextTest {
    private ScriptedNode node;
    private JMSContext context;

    @BeforeEach
    void connect() {
        node = ScriptedNode.start();
        node.politely(Settle.Request.class, settle -> new Settle.Response(List.of()));
        node.politely(Publish.Request.class, publish -> new Publish.Response(0));
        context = new DuramenConnectionFactory(node.url()).createContext();
    }

    @AfterEach
    void close() {
        context.close();
        node.close();
    }

    @Test
    void shouldSendEveryKindOfBodyWithWhatTheProducerWasTold() throws Exception {
        JMSProducer producer = context.createProducer()
                .setProperty("region", "EU")
                .setPriority(7)
                .setJMSType("order");
        producer.send(context.createQueue("q"), "text")
                .send(context.createQueue("q"), new byte[] {1})
                .send(context.createQueue("q"), Map.of("a", 1));
        assertThat(producer.getStringProperty("region")).isEqualTo("EU");
        assertThat(producer.getPriority()).isEqualTo(7);
        assertThat(node.handled(Publish.Request.class).stream()
                        .flatMap(publish -> Wires.texts(publish.batch()).stream()))
                .containsExactly("text", "DuramenBytesMessage", "DuramenMapMessage");
        assertThatThrownBy(() -> producer.setPriority(10)).isInstanceOf(jakarta.jms.JMSRuntimeException.class);
    }

    @Test
    void shouldStartByItselfAndReceiveBodies() throws Exception {
        JMSConsumer consumer = context.createConsumer(context.createQueue("q"));
        node.expect(Credit.Push.class);
        node.push(Wires.deliver(node.handled(Attach.Request.class).get(0), 0, "a", "b"));
        assertThatThrownBy(() -> consumer.receiveBody(Integer.class)).isInstanceOf(MessageFormatRuntimeException.class);
        assertThat(consumer.receiveBody(String.class)).isEqualTo("a"); // as if it had not been received before
        assertThat(consumer.receiveBody(String.class, 1000)).isEqualTo("b");
    }

    @Test
    void shouldCloseTheConnectionWithTheLastContext() {
        JMSContext second = context.createContext(JMSContext.SESSION_TRANSACTED);
        assertThat(second.getTransacted()).isTrue();
        context.close();
        assertThat(node.handled(Close.Request.class)).isEmpty();
        assertThatThrownBy(() -> context.createMessage()).isInstanceOf(IllegalStateRuntimeException.class);
        second.createMessage();
        second.close();
        assertThat(node.handled(Close.Request.class)).hasSize(1);
    }

    @Test
    void shouldTakeAClientIdBeforeAnythingElse() {
        context.setClientID("me");
        assertThat(context.getClientID()).isEqualTo("me");
        context.createDurableConsumer(context.createTopic("t"), "sub");
        assertThatThrownBy(() -> context.setClientID("you")).isInstanceOf(IllegalStateRuntimeException.class);
    }
}
