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

        ConversionTable.check(as -> Readings.property(message, "p", as), type, expected);
        Message received = Records.received(message);
        ConversionTable.check(as -> Readings.property(received, "p", as), type, expected);
        assertThat(received.getObjectProperty("p")).isEqualTo(written);
    }

    @ParameterizedTest
    @MethodSource(TABLE + "ofEntries")
    void shouldConvertMapEntryAsTheTableSays(Object written, Class<?> type, Object expected) throws Exception {
        DuramenMapMessage message = new DuramenMapMessage();
        message.setObject("p", written);

        ConversionTable.check(as -> Readings.entry(message, "p", as), type, expected);
        MapMessage received = Records.received(message);
        ConversionTable.check(as -> Readings.entry(received, "p", as), type, expected);
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

        ConversionTable.check(as -> Readings.next(received, as), type, expected);
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
}
