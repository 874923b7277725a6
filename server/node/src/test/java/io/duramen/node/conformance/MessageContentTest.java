package io.duramen.node.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Chapter 3, properties and bodies; their conversion tables are gone through by the client's own tests. */
class MessageContentTest extends OnANode {
    @Test
    @Section({"3.5.2", "3.5.5", "3.5.6", "3.5.10"})
    void shouldCarryEveryTypeOfProperty() throws Exception {
        Message message = session.createMessage();
        List<Object> values = List.of(true, (byte) 1, (short) 2, 3, 4L, 5f, 6d, "seven");
        for (int i = 0; i < values.size(); i++) {
            message.setObjectProperty("p" + i, values.get(i));
        }
        Message received = through(message);
        for (int i = 0; i < values.size(); i++) {
            assertThat(received.getObjectProperty("p" + i)).isEqualTo(values.get(i));
        }
        assertThat(names(received.getPropertyNames()))
                .contains("p0", "p7")
                .noneMatch(name ->
                        name.toString().startsWith("JMS") && !name.toString().startsWith("JMSX"));
        assertThatThrownBy(() -> message.setObjectProperty("list", new ArrayList<>()))
                .isInstanceOf(MessageFormatException.class);
    }

    @Test
    @Section({"3.5.1", "3.5.8"})
    void shouldTreatAMissingPropertyAsNullAndRefuseABadName() throws Exception {
        Message message = session.createMessage();
        assertThat(message.getObjectProperty("none")).isNull();
        assertThat(message.getStringProperty("none")).isNull();
        assertThat(message.getBooleanProperty("none")).isFalse();
        assertThatThrownBy(() -> message.getIntProperty("none")).isInstanceOf(NumberFormatException.class);
        for (String bad : new String[] {"", "1a", "a-b", "NOT", "between"}) {
            assertThatThrownBy(() -> message.setIntProperty(bad, 1)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> message.setIntProperty(null, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Section({"3.5.3", "3.5.7"})
    void shouldKeepReceivedPropertiesReadOnlyUntilTheyAreCleared() throws Exception {
        TextMessage message = session.createTextMessage("body");
        message.setIntProperty("number", 1);
        TextMessage received = through(message);
        assertThatThrownBy(() -> received.setIntProperty("number", 2)).isInstanceOf(MessageNotWriteableException.class);
        received.clearProperties();
        assertThat(received.propertyExists("number")).isFalse();
        received.setIntProperty("number", 2);
        assertThat(received.getIntProperty("number")).isEqualTo(2);
        assertThat(received.getText()).isEqualTo("body");
    }

    @Test
    @Section({"3.11.1", "3.11.2"})
    void shouldKeepAReceivedBodyReadOnlyUntilItIsCleared() throws Exception {
        TextMessage message = session.createTextMessage("body");
        message.setIntProperty("number", 1);
        TextMessage received = through(message);
        assertThatThrownBy(() -> received.setText("other")).isInstanceOf(MessageNotWriteableException.class);
        received.clearBody();
        assertThat(received.getText()).isNull();
        received.setText("other");
        assertThat(received.getText()).isEqualTo("other");
        assertThat(received.getIntProperty("number")).isEqualTo(1);
    }

    @Test
    @Section("3.11")
    void shouldCarryATextOrNone() throws Exception {
        assertThat(through(session.createTextMessage("ä€\uD83D\uDE00")).getText())
                .isEqualTo("ä€\uD83D\uDE00");
        assertThat(through(session.createTextMessage("")).getText()).isEmpty();
        assertThat(through(session.createTextMessage()).getText()).isNull();
    }

    @Test
    @Section({"3.11", "3.11.3"})
    void shouldCarryBytes() throws Exception {
        BytesMessage message = session.createBytesMessage();
        message.writeLong(7);
        message.writeUTF("ä");
        assertThatThrownBy(message::readLong).isInstanceOf(MessageNotReadableException.class);
        BytesMessage received = through(message);
        assertThat(received.readLong()).isEqualTo(7);
        assertThat(received.readUTF()).isEqualTo("ä");
        assertThatThrownBy(received::readByte).isInstanceOf(MessageEOFException.class);
        assertThatThrownBy(() -> received.writeByte((byte) 1)).isInstanceOf(MessageNotWriteableException.class);
        received.reset();
        assertThat(received.getBodyLength()).isEqualTo(12);
    }

    @Test
    @Section({"3.11", "3.11.3"})
    void shouldCarryAStreamAndNotMoveWhereAReadFails() throws Exception {
        StreamMessage message = session.createStreamMessage();
        message.writeString("12x");
        message.writeObject(null);
        message.writeBytes(new byte[] {1, 2});
        StreamMessage received = through(message);
        assertThatThrownBy(received::readInt).isInstanceOf(NumberFormatException.class);
        assertThatThrownBy(() -> received.readBytes(new byte[2])).isInstanceOf(MessageFormatException.class);
        assertThat(received.readString()).isEqualTo("12x");
        assertThatThrownBy(received::readChar).isInstanceOf(NullPointerException.class);
        assertThat(received.readObject()).isNull();
        assertThat(received.readObject()).isEqualTo(new byte[] {1, 2});
        assertThatThrownBy(received::readObject).isInstanceOf(MessageEOFException.class);
    }

    @Test
    @Section({"3.11", "3.11.3"})
    void shouldCarryAMap() throws Exception {
        MapMessage message = session.createMapMessage();
        message.setInt("int", 6);
        message.setObject("text", "t");
        message.setBytes("bytes", new byte[] {1});
        assertThatThrownBy(() -> message.setInt("", 1)).isInstanceOf(IllegalArgumentException.class);
        MapMessage received = through(message);
        assertThat(received.getLong("int")).isEqualTo(6);
        assertThat(received.getObject("int")).isEqualTo(6);
        assertThat(received.getString("none")).isNull();
        assertThat(received.itemExists("none")).isFalse();
        assertThatThrownBy(() -> received.getByte("int")).isInstanceOf(MessageFormatException.class);
        assertThat(names(received.getMapNames())).containsExactlyInAnyOrder("int", "text", "bytes");
        assertThat(received.getBody(Map.class).size()).isEqualTo(3);
    }

    @Test
    @Section("3.11")
    void shouldCarryAnObjectWhoseClassTheFactoryAllows() throws Exception {
        ObjectMessage message = session.createObjectMessage(new ArrayList<>(List.of("a", "b")));
        send(message);
        send(message);
        ObjectMessage refused = receive(ObjectMessage.class);
        assertThatThrownBy(refused::getObject)
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("java.util.ArrayList");
        DuramenConnectionFactory factory = factory();
        factory.setAllowedClasses("java.util.ArrayList");
        try (Connection other = factory.createConnection()) {
            other.start();
            ObjectMessage received =
                    (ObjectMessage) other.createSession().createConsumer(queue).receive(PATIENCE);
            assertThat(received.getObject()).isEqualTo(List.of("a", "b"));
        }
    }

    @Test
    @Section("3.12")
    void shouldSendAMessageOfAnotherMaking() throws Exception {
        TextMessage foreign = (TextMessage) java.lang.reflect.Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {TextMessage.class},
                new Delegate(session.createTextMessage("foreign")));
        foreign.setIntProperty("number", 3);
        session.createProducer(queue).send(foreign);
        assertThat(foreign.getJMSMessageID()).startsWith("ID:");
        assertThat(foreign.getJMSDestination()).isEqualTo(queue);
        TextMessage received = receive(TextMessage.class);
        assertThat(received.getText()).isEqualTo("foreign");
        assertThat(received.getIntProperty("number")).isEqualTo(3);
    }

    /** A message that is none of ours, though it behaves like one. */
    private record Delegate(Message message) implements java.lang.reflect.InvocationHandler {
        @Override
        public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) throws Throwable {
            try {
                return method.invoke(message, arguments);
            } catch (java.lang.reflect.InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    @Test
    @Section("3.11")
    void shouldTellWhatABodyMayBeReadAs() throws JMSException {
        TextMessage text = session.createTextMessage("t");
        assertThat(text.isBodyAssignableTo(CharSequence.class)).isTrue();
        assertThat(text.isBodyAssignableTo(byte[].class)).isFalse();
        assertThatThrownBy(() -> text.getBody(byte[].class)).isInstanceOf(MessageFormatException.class);
        StreamMessage stream = session.createStreamMessage();
        stream.writeInt(1);
        assertThat(stream.isBodyAssignableTo(Object.class)).isFalse();
        assertThatThrownBy(() -> stream.getBody(Object.class)).isInstanceOf(MessageFormatException.class);
        assertThat(session.createMessage().isBodyAssignableTo(String.class)).isTrue();
        assertThat(session.createMessage().getBody(String.class)).isNull();
        assertThat(session.createObjectMessage("o").getBody(String.class)).isEqualTo("o");
        assertThat(connection.createSession(Session.AUTO_ACKNOWLEDGE).getAcknowledgeMode())
                .isEqualTo(Session.AUTO_ACKNOWLEDGE);
    }
}
