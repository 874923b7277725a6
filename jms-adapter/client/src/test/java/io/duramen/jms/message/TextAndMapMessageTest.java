package io.duramen.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.io.Serializable;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextAndMapMessageTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "grün",
                "€ and plain",
                "\uD83D\uDE00",
                "a\0b",
                "\uFFFD",
                "a? b?? ä?\uD83D\uDE00?",
                "x\uFFFF\uE000"
            })
    void shouldCarryText(String text) throws JMSException {
        DuramenTextMessage received = Records.received(new DuramenTextMessage(text));
        assertThat(received.getBody(String.class)).isEqualTo(text);
        assertThat(received.getText()).isEqualTo(text);
        assertThat(received.isBodyAssignableTo(CharSequence.class)).isTrue();
        assertThat(received.isBodyAssignableTo(Map.class)).isFalse();
        assertThatThrownBy(() -> received.getBody(Map.class)).isInstanceOf(MessageFormatException.class);
    }

    @Test
    void shouldCarryNullText() throws JMSException {
        DuramenTextMessage received = Records.received(new DuramenTextMessage());
        assertThat(received.getText()).isNull();
        assertThat(received.getBody(Integer.class)).isNull();
        assertThat(received.isBodyAssignableTo(Map.class)).isTrue();
        assertThat(Records.received(received).getText()).isNull();
    }

    @Test
    void shouldCarryBigText() throws JMSException {
        for (String big :
                new String[] {"x".repeat(3_000_000), "€".repeat(1_000_000), "x".repeat(99) + "\uD83D\uDE00"}) {
            assertThat(Records.received(new DuramenTextMessage(big)).getText()).isEqualTo(big);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uD83D", "x\uD83Dy", "\uDE00", "\uDE00\uD83D", "?? \uD83F ?"})
    void shouldRefuseHalfOfASurrogatePairAtSend(String text) throws JMSException {
        DuramenMessage property = new DuramenMessage();
        property.setStringProperty("p", text);
        assertThatThrownBy(() -> Records.encode(property)).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> Records.encode(new DuramenTextMessage(text)))
                .isInstanceOf(MessageFormatException.class);
    }

    @Test
    void shouldRefuseToChangeReceivedBodyUntilClearBody() throws JMSException {
        DuramenTextMessage text = Records.received(new DuramenTextMessage("x"));
        assertThatThrownBy(() -> text.setText("y")).isInstanceOf(MessageNotWriteableException.class);
        text.clearBody();
        text.setText("y");
        assertThat(text.getText()).isEqualTo("y");

        DuramenMapMessage map = Records.received(new DuramenMapMessage());
        assertThatThrownBy(() -> map.setInt("i", 1)).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> map.setBytes("b", new byte[1])).isInstanceOf(MessageNotWriteableException.class);
        map.clearBody();
        map.setInt("i", 1);
        assertThat(Records.received(map).getInt("i")).isEqualTo(1);
    }

    @Test
    void shouldGiveOutMapAsACopy() throws JMSException {
        DuramenMapMessage message = new DuramenMapMessage();
        byte[] bytes = {1, 2, 3};
        message.setBytes("b", bytes, 1, 2);
        message.setBytes("all", bytes);
        message.setString("null", null);
        bytes[1] = 9;
        DuramenMapMessage received = Records.received(message);
        received.getBytes("b")[0] = 9;
        ((byte[]) received.getObject("b"))[0] = 9;
        ((byte[]) received.getBody(Map.class).get("b"))[0] = 9;

        assertThat(received.getBytes("b")).containsExactly(2, 3);
        assertThat(received.getBytes("all")).containsExactly(1, 2, 3);
        assertThat(Collections.list(received.getMapNames())).containsExactly("b", "all", "null");
        assertThat(received.itemExists("null")).isTrue();
        assertThat(received.itemExists("none")).isFalse();
        assertThat(received.getString("none")).isNull();
        assertThat(received.isBodyAssignableTo(HashMap.class)).isFalse();
        assertThat(received.isBodyAssignableTo(Serializable.class)).isFalse();
    }

    @Test
    void shouldCarryEmptyMap() throws JMSException {
        DuramenMapMessage received = Records.received(new DuramenMapMessage());
        assertThat(received.getMapNames().hasMoreElements()).isFalse();
        assertThat(received.getBody(String.class)).isNull();
        assertThat(received.isBodyAssignableTo(String.class)).isTrue();
    }

    @Test
    void shouldRefuseEntryWithoutName() {
        DuramenMapMessage message = new DuramenMapMessage();
        assertThatThrownBy(() -> message.setInt(null, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> message.setObject("", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> message.setBytes("b", new byte[2], 1, 2))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }
}
