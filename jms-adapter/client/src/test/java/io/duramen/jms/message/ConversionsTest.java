package io.duramen.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.StreamMessage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every cell of the conversion table, before sending and after receipt. */
class ConversionsTest {
    private static final String TABLE = "io.duramen.jms.message.ConversionTable#";

    @ParameterizedTest
    @MethodSource(TABLE + "ofProperties")
    void shouldConvertPropertyAsTheTableSays(Object written, Class<?> type, Object expected) throws Exception {
        DuramenMessage message = new DuramenMessage();
        message.setObjectProperty("p", written);

        ConversionTable.check(as -> property(message, as), type, expected);
        Message received = Records.received(message);
        ConversionTable.check(as -> property(received, as), type, expected);
        assertThat(received.getObjectProperty("p")).isEqualTo(written);
    }

    @ParameterizedTest
    @MethodSource(TABLE + "ofEntries")
    void shouldConvertMapEntryAsTheTableSays(Object written, Class<?> type, Object expected) throws Exception {
        DuramenMapMessage message = new DuramenMapMessage();
        message.setObject("p", written);

        ConversionTable.check(as -> entry(message, as), type, expected);
        MapMessage received = Records.received(message);
        ConversionTable.check(as -> entry(received, as), type, expected);
        assertThat(received.getObject("p")).isEqualTo(written);
    }

    @ParameterizedTest
    @MethodSource(TABLE + "ofEntries")
    void shouldConvertStreamValueAsTheTableSaysAndKeepItWhereItCannot(Object written, Class<?> type, Object expected)
            throws Exception {
        if (type == byte[].class) {
            return; // readBytes has rules of its own, see StreamMessageTest
        }
        DuramenStreamMessage message = new DuramenStreamMessage();
        message.writeObject(written);
        StreamMessage received = Records.received(message);

        ConversionTable.check(as -> next(received, as), type, expected);
        if (expected instanceof Class<?>) {
            assertThat(received.readObject()).isEqualTo(written);
        }
    }

    @Test
    void shouldRefuseObjectsThatAreNoPrimitives() {
        List<Object> none = new ArrayList<>();
        assertThatThrownBy(() -> new DuramenMessage().setObjectProperty("p", none))
                .isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> new DuramenMessage().setObjectProperty("p", 'c'))
                .isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> new DuramenMessage().setObjectProperty("p", new byte[1]))
                .isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> new DuramenMapMessage().setObject("p", none))
                .isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> new DuramenStreamMessage().writeObject(none))
                .isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> new DuramenBytesMessage().writeObject(none))
                .isInstanceOf(MessageFormatException.class);
    }

    private static Object property(Message message, Class<?> type) throws Exception {
        return switch (type.getSimpleName()) {
            case "boolean" -> message.getBooleanProperty("p");
            case "byte" -> message.getByteProperty("p");
            case "short" -> message.getShortProperty("p");
            case "int" -> message.getIntProperty("p");
            case "long" -> message.getLongProperty("p");
            case "float" -> message.getFloatProperty("p");
            case "double" -> message.getDoubleProperty("p");
            default -> message.getStringProperty("p");
        };
    }

    private static Object entry(MapMessage message, Class<?> type) throws Exception {
        return switch (type.getSimpleName()) {
            case "boolean" -> message.getBoolean("p");
            case "byte" -> message.getByte("p");
            case "short" -> message.getShort("p");
            case "char" -> message.getChar("p");
            case "int" -> message.getInt("p");
            case "long" -> message.getLong("p");
            case "float" -> message.getFloat("p");
            case "double" -> message.getDouble("p");
            case "String" -> message.getString("p");
            default -> message.getBytes("p");
        };
    }

    private static Object next(StreamMessage message, Class<?> type) throws Exception {
        return switch (type.getSimpleName()) {
            case "boolean" -> message.readBoolean();
            case "byte" -> message.readByte();
            case "short" -> message.readShort();
            case "char" -> message.readChar();
            case "int" -> message.readInt();
            case "long" -> message.readLong();
            case "float" -> message.readFloat();
            case "double" -> message.readDouble();
            default -> message.readString();
        };
    }
}
