package io.duramen.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jakarta Messaging 3.11 (bodies) and 3.12, ObjectMessage; what may be brought to life at receipt is ours to say. */
class ObjectMessageTest {
    private static boolean read;

    record Order(String name, int amount) implements Serializable {}

    /** Does something the moment it is read. */
    static final class Trap implements Serializable {
        private static final long serialVersionUID = 1L;

        private void readObject(ObjectInputStream in) throws IOException {
            read = true;
        }
    }

    static final class Unwritable implements Serializable {
        private static final long serialVersionUID = 1L;

        private void writeObject(ObjectOutputStream out) throws IOException {
            throw new IOException("no");
        }
    }

    private static DuramenObjectMessage received(Serializable object, String allowed) throws JMSException {
        DuramenObjectMessage sent = new DuramenObjectMessage();
        sent.setObject(object);
        return (DuramenObjectMessage) Records.received(sent, AllowedClasses.parse(allowed));
    }

    @Test
    void shouldRefuseEveryClassUnlessItIsAllowed() throws JMSException {
        read = false;

        assertThatThrownBy(() -> received(new Trap(), "").getObject())
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining(Trap.class.getName())
                .hasMessageContaining("allowedClasses");
        assertThatThrownBy(() -> received(new ArrayList<>(List.of(new Trap())), "java.util.*")
                        .getObject())
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining(Trap.class.getName());
        assertThat(read).isFalse();
        assertThat(received("text", "").getObject()).isEqualTo("text");
        assertThat(received(new int[] {1, 2}, "").getObject()).isEqualTo(new int[] {1, 2});
    }

    @Test
    void shouldReadWhatIsAllowed() throws JMSException {
        Order order = new Order("axe", 3);
        HashMap<String, Object> map = new HashMap<>(Map.of("a", order, "b", 7));

        assertThat(received(order, Order.class.getName()).getObject()).isEqualTo(order);
        assertThat(received(order, "io.duramen.jms.message.*").getObject()).isEqualTo(order);
        assertThat(received(order, "io.duramen.**").getObject()).isEqualTo(order);
        assertThat(received(map, "java.util.HashMap, java.lang.Integer, io.duramen.**")
                        .getObject())
                .isEqualTo(map);
        assertThat(received(new Order[] {order}, "io.duramen.**").getObject()).isEqualTo(new Order[] {order});
        assertThatThrownBy(() -> received(order, "io.duramen.jms.*,io.duramen.jms.mess.**,org.**")
                        .getObject())
                .isInstanceOf(MessageFormatException.class);
    }

    @Test
    void shouldRefuseAPatternThatIsNone() {
        for (String wrong : new String[] {"com..acme", "*.Order", "com.acme.", "com/acme", "com.acme.*.Order"}) {
            assertThatThrownBy(() -> AllowedClasses.parse(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(wrong);
        }
        assertThatCode(() -> AllowedClasses.parse(" , ")).doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseProxiesWhateverIsAllowed() {
        Object proxy =
                Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Runnable.class}, new Handler());

        assertThatThrownBy(() -> received((Serializable) proxy, "**").getObject())
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("proxy");
    }

    private static final class Handler implements java.lang.reflect.InvocationHandler, Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
            return null;
        }
    }

    @Test
    void shouldHoldTheObjectAsItWasWhenSet() throws JMSException {
        ArrayList<String> list = new ArrayList<>(List.of("a"));
        DuramenObjectMessage message = new DuramenObjectMessage();
        message.setObject(list);

        list.add("b");
        ((List<?>) message.getObject()).clear();

        assertThat(message.getObject()).isEqualTo(List.of("a"));
    }

    @Test
    void shouldSayAtOnceThatAnObjectCannotBeWritten() {
        assertThatThrownBy(() -> new DuramenObjectMessage().setObject(new Unwritable()))
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("Unwritable");
    }

    @Test
    void shouldBeReadOnlyOnceReceivedUntilTheBodyIsCleared() throws JMSException {
        DuramenObjectMessage message = received("a", "");

        assertThatThrownBy(() -> message.setObject("b")).isInstanceOf(MessageNotWriteableException.class);
        message.clearBody();
        assertThat(message.getObject()).isNull();
        message.setObject(new Order("b", 1)); // its own, so not filtered
        assertThat(message.getObject()).isEqualTo(new Order("b", 1));
    }

    @Test
    void shouldTellWhichClassesABodyMayBeReadAs() throws JMSException {
        DuramenObjectMessage message = received(7, "java.lang.*");

        assertThat(message.getBody(Integer.class)).isEqualTo(7);
        assertThat(message.getBody(Serializable.class)).isEqualTo(7);
        assertThat(message.isBodyAssignableTo(Number.class)).isTrue();
        assertThat(message.isBodyAssignableTo(String.class)).isFalse();
        assertThatThrownBy(() -> message.getBody(String.class)).isInstanceOf(MessageFormatException.class);
        DuramenObjectMessage empty = received(null, "");
        assertThat(empty.getObject()).isNull();
        assertThat(empty.isBodyAssignableTo(String.class)).isTrue();
        assertThat(empty.getBody(String.class)).isNull();
    }

    @Test
    void shouldSurviveDamagedBytes() throws JMSException {
        DuramenObjectMessage sent = new DuramenObjectMessage();
        sent.setObject(new ArrayList<>(Arrays.asList("a", 1, 2L)));
        java.nio.ByteBuffer record = Records.encode(sent, Records.send());
        int body = record.limit() - 60;
        for (int at = body; at < record.limit(); at++) {
            byte[] bytes = new byte[record.remaining()];
            record.duplicate().get(bytes);
            bytes[at - record.position()] ^= 0x55;
            DuramenObjectMessage damaged = (DuramenObjectMessage) MessageDecoder.decode(
                    java.nio.ByteBuffer.wrap(bytes),
                    Records.ORDERS,
                    1,
                    AllowedClasses.parse("java.util.*,java.lang.*"));
            try {
                damaged.getObject();
            } catch (MessageFormatException e) {
                assertThat(e).hasMessageStartingWith("the object cannot be read");
            }
        }
    }
}
