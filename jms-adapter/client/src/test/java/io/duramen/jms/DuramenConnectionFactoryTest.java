package io.duramen.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.destination.DuramenQueue;
import io.duramen.jms.peer.ScriptedNode;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Authenticate;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.Hashtable;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DuramenConnectionFactoryTest {
    @Test
    void shouldHaveABeanPropertyForEveryOption() throws Exception {
        List<String> writable = Arrays.stream(
                        Introspector.getBeanInfo(DuramenConnectionFactory.class).getPropertyDescriptors())
                .filter(property -> property.getReadMethod() != null && property.getWriteMethod() != null)
                .map(PropertyDescriptor::getName)
                .toList();
        for (ClientOption<?> option : ClientOption.all()) {
            assertThat(writable).contains(option.name());
        }
    }

    @Test
    void shouldTakeOptionsFromTheUrlAndHideThePassword() {
        DuramenConnectionFactory factory = new DuramenConnectionFactory(
                "duramen://a:1,[::1]:2,c?user=me&password=s%26cret&prefetch=0&reconnect=false");
        assertThat(factory.getUser()).isEqualTo("me");
        assertThat(factory.getPassword()).isEqualTo("s&cret");
        assertThat(factory.getPrefetch()).isZero();
        assertThat(factory.isReconnect()).isFalse();
        assertThat(factory.toString()).contains("a:1,[::1]:2,c").doesNotContain("cret");
    }

    @Test
    void shouldNameTheOptionThatIsWrong() {
        assertThatThrownBy(() -> new DuramenConnectionFactory("duramen://a?prefech=1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("prefech");
        assertThatThrownBy(() -> new DuramenConnectionFactory("duramen://a?prefetch=-1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("prefetch");
        assertThatThrownBy(() -> new DuramenConnectionFactory("tcp://a")).hasMessageContaining("duramen://");
        assertThatThrownBy(() -> new DuramenConnectionFactory().setBatchBytes(0))
                .hasMessageContaining("batchBytes");
    }

    @Test
    void shouldNameOptionValueAndWhatIsAllowedWhereAcksAreWrong() throws Exception {
        assertThatThrownBy(() -> new DuramenConnectionFactory("duramen://a?persistentAcks=0"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("persistentAcks is one of all, 1, not 0");
        DuramenConnectionFactory factory = new DuramenConnectionFactory("duramen://a?nonPersistentAcks=all");
        assertThatThrownBy(() -> factory.setNonPersistentAcks("2"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("nonPersistentAcks is one of 0, 1, all, not 2");
        factory.setPersistentAcks("1");
        DuramenConnectionFactory found = (DuramenConnectionFactory)
                new DuramenObjectFactory().getObjectInstance(factory.getReference(), null, null, null);
        assertThat(found.getPersistentAcks()).isEqualTo("1");
        assertThat(found.getNonPersistentAcks()).isEqualTo("all");
        factory.setPersistentAcks(null);
        assertThat(factory.getPersistentAcks()).isEqualTo("all");
    }

    @Test
    void shouldNameTheRangeWhereReplicasAreOutsideOfIt() throws Exception {
        assertThatThrownBy(() -> new DuramenConnectionFactory("duramen://a?replicas=8"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("replicas is 8, not in 0..7");
        assertThatThrownBy(() -> new DuramenConnectionFactory("duramen://a?replicas=all"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("replicas is a whole number, not all");
        DuramenConnectionFactory factory = new DuramenConnectionFactory("duramen://a?replicas=3");
        assertThatThrownBy(() -> factory.setReplicas(-1)).hasMessage("replicas is -1, not in 0..7");
        DuramenConnectionFactory found = (DuramenConnectionFactory)
                new DuramenObjectFactory().getObjectInstance(factory.getReference(), null, null, null);
        assertThat(found.getReplicas()).isEqualTo(3);
        assertThat(new DuramenConnectionFactory("duramen://a").getReplicas()).isZero();
    }

    @Test
    void shouldMakeAnXaFactoryAgainFromItsReference() throws Exception {
        DuramenConnectionFactory factory = new DuramenXAConnectionFactory("duramen://a?allowedClasses=com.acme.*,b.C");
        Object again = new DuramenObjectFactory().getObjectInstance(factory.getReference(), null, null, null);
        assertThat(again)
                .isInstanceOfSatisfying(
                        DuramenXAConnectionFactory.class,
                        xa -> assertThat(xa.getAllowedClasses()).isEqualTo("com.acme.*,b.C"));
        Hashtable<String, String> environment = new Hashtable<>();
        environment.put("xaConnectionFactory.server", "duramen://b?prefetch=3");
        Object found = new DuramenInitialContextFactory()
                .getInitialContext(environment)
                .lookup("server");
        assertThat(((DuramenXAConnectionFactory) found).getPrefetch()).isEqualTo(3);
        assertThatThrownBy(() -> factory.setAllowedClasses("com..acme"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("com..acme");
    }

    @Test
    void shouldSurviveSerializationAndJndiReferences() throws Exception {
        DuramenConnectionFactory factory = new DuramenConnectionFactory("duramen://a?user=me&password=x&prefetch=7");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(factory);
        Object copy = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        assertThat(copy.toString()).isEqualTo(factory.toString());
        DuramenConnectionFactory found = (DuramenConnectionFactory)
                new DuramenObjectFactory().getObjectInstance(factory.getReference(), null, null, null);
        assertThat(found.getPassword()).isEqualTo("x");
        assertThat(found.getPrefetch()).isEqualTo(7);
        DuramenQueue queue = new DuramenQueue("orders");
        assertThat(new DuramenObjectFactory().getObjectInstance(queue.getReference(), null, null, null))
                .isEqualTo(queue);
    }

    @Test
    void shouldFindWhatTheEnvironmentDeclares() throws Exception {
        Hashtable<String, String> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, DuramenInitialContextFactory.class.getName());
        environment.put(Context.PROVIDER_URL, "duramen://far:9");
        environment.put("connectionFactory.mine", "duramen://near:8?clientId=cts");
        environment.put("queue.MY_QUEUE", "orders");
        InitialContext context = new InitialContext(environment);
        assertThat(context.lookup("ConnectionFactory").toString()).contains("far:9");
        assertThat(((DuramenConnectionFactory) context.lookup("mine")).getClientId())
                .isEqualTo("cts");
        assertThat(context.lookup("MY_QUEUE")).isEqualTo(new DuramenQueue("orders"));
        assertThat(context.lookup("dynamicQueues/a/b")).isEqualTo(new DuramenQueue("a/b"));
        assertThatThrownBy(() -> context.lookup("nothing")).isInstanceOf(NamingException.class);
    }

    @Test
    void shouldRefuseAtOnceWhoMayNotLogIn() throws Exception {
        try (ScriptedNode node = ScriptedNode.start()) {
            node.impolitely(Authenticate.Request.class);
            ConnectionFactory factory = new DuramenConnectionFactory(node.url("user=me&password=wrong"));
            for (Class<?> expected : List.of(JMSSecurityException.class, JMSSecurityRuntimeException.class)) {
                CompletableFuture<Throwable> thrown = CompletableFuture.supplyAsync(() -> {
                    try {
                        return expected == JMSSecurityException.class
                                ? fail(factory.createConnection())
                                : fail(factory.createContext());
                    } catch (JMSException | RuntimeException e) {
                        return e;
                    }
                });
                node.expect(Authenticate.Request.class).refuse(ErrorCode.AUTHENTICATION_FAILED, "me");
                assertThat(thrown.get(10, TimeUnit.SECONDS)).isInstanceOf(expected);
            }
        }
    }

    private static Throwable fail(AutoCloseable opened) {
        return new AssertionError("it was let in: " + opened);
    }

    @Test
    void shouldGoOnToTheNextAddressWhenOneDoesNotAnswer() throws Exception {
        try (ScriptedNode gone = ScriptedNode.startOnTcp();
                ScriptedNode node = ScriptedNode.startOnTcp()) {
            gone.beAway();
            String url = gone.url() + "," + node.url().substring("duramen://".length());
            try (Connection connection = new DuramenConnectionFactory(url).createConnection()) {
                assertThat(connection.getMetaData().getJMSVersion()).isEqualTo("3.1");
                assertThat(node.isConnected()).isTrue();
            }
        }
    }
}
