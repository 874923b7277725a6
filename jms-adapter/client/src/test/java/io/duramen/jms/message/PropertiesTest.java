package io.duramen.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.destination.DuramenQueue;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.Queue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class PropertiesTest {
    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = {"a-b", "a.b", "1a", " a", "a b", "null", "TRUE", "False", "not", "and", "OR", "between"})
    @ValueSource(strings = {"like", "in", "Is", "escape", "JMSPriority", "JMSCorrelationID", "JMSanything"})
    void shouldRefuseName(String name) {
        Message message = new DuramenMessage();
        assertThatThrownBy(() -> message.setIntProperty(name, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> message.setObjectProperty(name, "x")).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "_a", "$a", "grün", "a1", "nulls", "JMS_Other_thing", "JMSXAppID", "inn"})
    void shouldTakeName(String name) throws JMSException {
        DuramenMessage message = new DuramenMessage();
        message.setStringProperty(name, "v");
        assertThat(Records.received(message).getStringProperty(name)).isEqualTo("v");
    }

    @Test
    void shouldBeReadOnlyOnceReceivedUntilCleared() throws JMSException {
        DuramenMessage message = new DuramenMessage();
        message.setStringProperty("p", "v");
        message.setStringProperty("JMSXGroupID", "g");
        DuramenMessage received = Records.received(message);
        assertThatThrownBy(() -> received.setStringProperty("p", "w")).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> received.setObjectProperty("q", 1)).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> received.setStringProperty("JMSXGroupID", "h"))
                .isInstanceOf(MessageNotWriteableException.class);

        received.clearProperties();
        assertThat(received.getPropertyNames().hasMoreElements()).isFalse();
        assertThat(received.getStringProperty("JMSXGroupID")).isNull();
        received.setStringProperty("p", "w");
        assertThat(received.getStringProperty("p")).isEqualTo("w");
    }

    @Test
    void shouldTellNullFromAbsent() throws JMSException {
        DuramenMessage message = new DuramenMessage();
        message.setStringProperty("empty", null);
        for (DuramenMessage each : List.of(message, Records.received(message))) {
            assertThat(each.propertyExists("empty")).isTrue();
            assertThat(each.propertyExists("none")).isFalse();
            assertThat(each.getObjectProperty("empty")).isNull();
            assertThat(each.getObjectProperty("none")).isNull();
            assertThat(each.getBooleanProperty("none")).isFalse();
            assertThatThrownBy(() -> each.getIntProperty("none")).isInstanceOf(NumberFormatException.class);
        }
    }

    @Test
    void shouldKeepOrderOfNamesAndCopyIntoNewMessage() throws JMSException {
        DuramenMessage message = new DuramenMessage();
        for (String name : List.of("z", "a", "m")) {
            message.setStringProperty(name, name);
        }
        DuramenMessage received = Records.received(message);
        DuramenMessage copy = new DuramenMessage();
        for (Object name : Collections.list(received.getPropertyNames())) {
            copy.setObjectProperty((String) name, received.getObjectProperty((String) name));
        }
        assertThat(Collections.list(copy.getPropertyNames())).isEqualTo(List.of("z", "a", "m"));
    }

    @Test
    void shouldKeepGroupPropertiesToTheirTypes() {
        Message message = new DuramenMessage();
        assertThatThrownBy(() -> message.setIntProperty("JMSXGroupID", 1)).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> message.setStringProperty("JMSXGroupSeq", "1"))
                .isInstanceOf(MessageFormatException.class);
    }

    @Test
    void shouldRefuseForeignReplyDestination() {
        Queue foreign = () -> "foreign";
        Message message = new DuramenMessage();
        assertThatThrownBy(() -> message.setJMSReplyTo(foreign)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> message.setJMSReplyTo(new DuramenQueue()))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatCode(() -> message.setJMSReplyTo(null)).doesNotThrowAnyException();
    }

    @Test
    void shouldAcknowledgeThroughItsHook() throws JMSException {
        List<Message> acknowledged = new ArrayList<>();
        DuramenMessage message = new DuramenMessage();
        message.acknowledge();
        message.onAcknowledge(acknowledged::add);
        message.acknowledge();
        assertThat(acknowledged).containsExactly(message);
    }

    @Test
    void shouldHaveNoBody() throws JMSException {
        DuramenMessage received = Records.received(new DuramenMessage());
        assertThat(received.getBody(String.class)).isNull();
        assertThat(received.isBodyAssignableTo(String.class)).isTrue();
    }

    @Test
    void shouldReadAFalseAsFalse() throws JMSException {
        DuramenMessage message = new DuramenMessage();
        message.setBooleanProperty("paid", false);
        assertThat(message.getBooleanProperty("paid")).isFalse();
        assertThat(message.getStringProperty("paid")).isEqualTo("false");
    }

    @Test
    void shouldTakeNoGroupSequenceForNone() throws JMSException {
        DuramenMessage message = new DuramenMessage();
        message.setIntProperty("JMSXGroupSeq", 3);
        message.setObjectProperty("JMSXGroupSeq", null);
        assertThat(message.getObjectProperty("JMSXGroupSeq")).isNull();
    }
}
