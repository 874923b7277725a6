package io.duramen.node.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Sections 3.5.4, 3.11.3 and 3.11.4, on what has arrived; random values are compared by the client's own tests. */
class MessageConversionsTest extends OnANode {
    /** Something that reads what has a name as a type. */
    @FunctionalInterface
    private interface Reading {
        Object as(String name) throws Exception;
    }

    /** What each kind of value may be read as: the marked cases of the two tables. */
    private static final Map<String, Set<String>> MARKED = Map.of(
            "boolean", Set.of("boolean", "String"),
            "byte", Set.of("byte", "short", "int", "long", "String"),
            "short", Set.of("short", "int", "long", "String"),
            "char", Set.of("char", "String"),
            "int", Set.of("int", "long", "String"),
            "long", Set.of("long", "String"),
            "float", Set.of("float", "double", "String"),
            "double", Set.of("double", "String"),
            "bytes", Set.of("bytes"),
            "String", Set.of("boolean", "byte", "short", "int", "long", "float", "double", "String"));

    private static final Map<String, Object> PROPERTIES = Map.of(
            "boolean", true, "byte", (byte) 1, "short", (short) 1, "int", 1, "long", 1L, "float", 1f, "double", 1d,
            "String", "1");

    /** Reads every value as every type, each of which one of the readings does. */
    private static void readAllAsAll(Set<String> names, Map<String, Reading> readings) throws Exception {
        for (String name : names) {
            for (String type : readings.keySet()) {
                if (MARKED.get(name).contains(type)) {
                    assertThat(readings.get(type).as(name))
                            .as(name + " as " + type)
                            .isNotNull();
                } else {
                    assertThatThrownBy(() -> readings.get(type).as(name))
                            .as(name + " as " + type)
                            .isExactlyInstanceOf(MessageFormatException.class);
                }
            }
        }
    }

    @Test
    @Section("3.5.4")
    void shouldConvertPropertiesAsTheTableMarks() throws Exception {
        Message message = session.createMessage();
        for (String name : PROPERTIES.keySet()) {
            message.setObjectProperty(name + "_", PROPERTIES.get(name));
        }
        message.setStringProperty("text", "one");
        message.setObjectProperty("nothing", null);
        Message received = through(message);

        readAllAsAll(
                PROPERTIES.keySet(),
                Map.of(
                        "boolean", name -> received.getBooleanProperty(name + "_"),
                        "byte", name -> received.getByteProperty(name + "_"),
                        "short", name -> received.getShortProperty(name + "_"),
                        "int", name -> received.getIntProperty(name + "_"),
                        "long", name -> received.getLongProperty(name + "_"),
                        "float", name -> received.getFloatProperty(name + "_"),
                        "double", name -> received.getDoubleProperty(name + "_"),
                        "String", name -> received.getStringProperty(name + "_")));
        for (Action number : List.<Action>of(
                () -> received.getByteProperty("text"),
                () -> received.getLongProperty("text"),
                () -> received.getDoubleProperty("text"),
                () -> received.getIntProperty("nothing"))) {
            assertThatThrownBy(number::run).isExactlyInstanceOf(NumberFormatException.class);
        }
        assertThat(received.getBooleanProperty("nothing")).isFalse();
        assertThatThrownBy(() -> received.getFloatProperty("nothing")).isExactlyInstanceOf(NullPointerException.class);
    }

    @Test
    @Section("3.11.3")
    void shouldConvertEntriesOfMapsAsTheTableMarks() throws Exception {
        MapMessage message = session.createMapMessage();
        for (String name : PROPERTIES.keySet()) {
            message.setObject(name, PROPERTIES.get(name));
        }
        message.setChar("char", 'c');
        message.setBytes("bytes", new byte[] {1});
        MapMessage received = through(message);

        readAllAsAll(
                MARKED.keySet(),
                Map.of(
                        "boolean", received::getBoolean,
                        "byte", received::getByte,
                        "short", received::getShort,
                        "char", received::getChar,
                        "int", received::getInt,
                        "long", received::getLong,
                        "float", received::getFloat,
                        "double", received::getDouble,
                        "String", received::getString,
                        "bytes", received::getBytes));
        assertThatThrownBy(() -> received.getChar("none")).isExactlyInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> received.getInt("none")).isExactlyInstanceOf(NumberFormatException.class);
        assertThat(received.getBytes("none")).isNull();
    }

    @Test
    @Section("3.11.3")
    void shouldReadAStreamAgainAsAnotherTypeWhereItCouldNotBeConverted() throws Exception {
        StreamMessage message = session.createStreamMessage();
        message.writeByte((byte) 1);
        message.writeString("12x");
        message.writeChar('c');
        StreamMessage received = through(message);

        for (Action wrong : List.<Action>of(received::readBoolean, received::readChar, received::readFloat)) {
            assertThatThrownBy(wrong::run).isExactlyInstanceOf(MessageFormatException.class);
        }
        assertThat(received.readLong()).isEqualTo(1);
        assertThatThrownBy(received::readShort).isExactlyInstanceOf(NumberFormatException.class);
        assertThatThrownBy(received::readChar).isExactlyInstanceOf(MessageFormatException.class);
        assertThat(received.readString()).isEqualTo("12x");
        assertThatThrownBy(received::readInt).isExactlyInstanceOf(MessageFormatException.class);
        assertThat(received.readString()).isEqualTo("c");
    }

    @Test
    @Section("3.11.4")
    void shouldKeepTheFullFormOfEveryMessage() throws Exception {
        for (Class<? extends Message> kind : List.of(
                TextMessage.class, BytesMessage.class, MapMessage.class, StreamMessage.class, ObjectMessage.class)) {
            Message message = (Message) session.getClass()
                    .getMethod("create" + kind.getSimpleName())
                    .invoke(session);
            send(message);
            assertThat(receive(Message.class)).isInstanceOf(kind);
        }
        send(session.createMessage());
        assertThat(receive(Message.class))
                .isNotInstanceOfAny(
                        TextMessage.class,
                        BytesMessage.class,
                        MapMessage.class,
                        StreamMessage.class,
                        ObjectMessage.class);
    }
}
