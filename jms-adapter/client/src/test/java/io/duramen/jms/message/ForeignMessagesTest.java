package io.duramen.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.destination.DuramenQueue;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Vector;
import org.junit.jupiter.api.Test;

/** Messages that are none of ours are proxies here: they answer by overrides first, then by a message of ours. */
class ForeignMessagesTest {
    private static <T extends Message> T foreign(Class<T> type, DuramenMessage behind, Map<String, Object> overrides) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            if (overrides.containsKey(method.getName())) {
                return overrides.get(method.getName());
            }
            try {
                return method.invoke(behind, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    private static <T extends Message> T foreign(Class<T> type, DuramenMessage behind) {
        return foreign(type, behind, Map.of());
    }

    @Test
    void shouldGiveBackOurOwn() throws JMSException {
        DuramenMessage ours = new DuramenTextMessage("x");
        assertThat(ForeignMessages.adopt(ours)).isSameAs(ours);
    }

    @Test
    void shouldCopyHeadersAndProperties() throws JMSException {
        DuramenMessage behind = new DuramenMessage();
        behind.setJMSCorrelationID("c");
        behind.setJMSType("t");
        behind.setJMSReplyTo(new DuramenQueue("replies"));
        behind.setStringProperty("JMSXGroupID", "g");
        behind.setDoubleProperty("d", 1.5);
        DuramenMessage copy = ForeignMessages.adopt(foreign(Message.class, behind));

        assertThat(copy).isNotSameAs(behind).isExactlyInstanceOf(DuramenMessage.class);
        assertThat(copy.getJMSCorrelationID()).isEqualTo("c");
        assertThat(copy.getJMSType()).isEqualTo("t");
        assertThat(copy.getJMSReplyTo()).isEqualTo(new DuramenQueue("replies"));
        assertThat(copy.getStringProperty("JMSXGroupID")).isEqualTo("g");
        assertThat(copy.getObjectProperty("d")).isEqualTo(1.5);
    }

    @Test
    void shouldLeaveOutWhatOnlyTheOtherProviderKnows() throws JMSException {
        Queue replies = () -> "replies";
        Map<String, Object> overrides = Map.of(
                "getJMSReplyTo",
                replies,
                "getPropertyNames",
                new Vector<>(Arrays.asList("JMSOther", "JMSXDeliveryCount")).elements(),
                "getObjectProperty",
                3);
        DuramenMessage copy = ForeignMessages.adopt(foreign(Message.class, new DuramenMessage(), overrides));

        assertThat(copy.getJMSReplyTo()).isNull();
        assertThat(Collections.list(copy.getPropertyNames())).isEmpty();
    }

    @Test
    void shouldRefuseWhatCannotBeSaid() {
        Map<String, Object> overrides =
                Map.of("getPropertyNames", new Vector<>(Arrays.asList("no-name")).elements(), "getObjectProperty", 3);
        Message named = foreign(Message.class, new DuramenMessage(), overrides);

        assertThatThrownBy(() -> ForeignMessages.adopt(named)).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> ForeignMessages.adopt(null)).isInstanceOf(MessageFormatException.class);
    }

    @Test
    void shouldCopyAnObject() throws JMSException {
        DuramenObjectMessage object = new DuramenObjectMessage();
        object.setObject("text");

        DuramenMessage copy = ForeignMessages.adopt(foreign(ObjectMessage.class, object));

        assertThat(copy.getBody(String.class)).isEqualTo("text");
    }

    @Test
    void shouldCopyEveryKindOfBody() throws JMSException {
        DuramenBytesMessage bytes = new DuramenBytesMessage();
        byte[] big = new byte[20_000];
        big[19_999] = 1;
        bytes.writeBytes(big);
        DuramenMapMessage map = new DuramenMapMessage();
        map.setChar("c", 'c');
        DuramenStreamMessage stream = new DuramenStreamMessage();
        stream.writeString("s");
        stream.writeObject(null);

        assertThat(ForeignMessages.adopt(foreign(TextMessage.class, new DuramenTextMessage("text")))
                        .getBody(String.class))
                .isEqualTo("text");
        assertThat(ForeignMessages.adopt(foreign(BytesMessage.class, bytes)).getBody(byte[].class))
                .isEqualTo(big);
        assertThat(bytes.getBodyLength()).isEqualTo(20_000); // left reset
        assertThat(ForeignMessages.adopt(foreign(MapMessage.class, map)).getBody(Object.class))
                .isEqualTo(Map.of("c", 'c'));
        StreamMessage copy =
                Records.received((DuramenStreamMessage) ForeignMessages.adopt(foreign(StreamMessage.class, stream)));
        assertThat(copy.readString()).isEqualTo("s");
        assertThat(copy.readObject()).isNull();
    }

    @Test
    void shouldSetSentHeadersOnTheOriginal() throws JMSException {
        DuramenMessage behind = new DuramenMessage();
        Message original = foreign(Message.class, behind);
        DuramenMessage copy = ForeignMessages.adopt(original);
        Records.encode(copy, Records.send().priority(7).times(10, 20, 30).persistent(false));
        ForeignMessages.copySentHeaders(copy, original);

        assertThat(behind.getJMSMessageID()).isEqualTo(copy.getJMSMessageID()).isNotNull();
        assertThat(behind.getJMSDestination()).isEqualTo(Records.ORDERS);
        assertThat(behind.getJMSPriority()).isEqualTo(7);
        assertThat(behind.getJMSTimestamp()).isEqualTo(10);
        assertThat(behind.getJMSExpiration()).isEqualTo(20);
        assertThat(behind.getJMSDeliveryTime()).isEqualTo(30);
        assertThat(behind.getJMSDeliveryMode()).isEqualTo(1);
    }
}
