package io.duramen.ra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.destination.DuramenQueue;
import io.duramen.jms.destination.DuramenTopic;
import io.duramen.ra.address.NodeLogin;
import io.duramen.ra.inbound.DuramenActivationSpec;
import jakarta.resource.spi.InvalidPropertyException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Beans that name what the server's JNDI has. */
class LookupTest extends InASmallServer {
    private final Beans beans = new Beans(true, message -> {});
    private final DuramenActivationSpec spec = new DuramenActivationSpec();
    private Names names;
    private SmallServer elsewhere;

    @BeforeEach
    void openNames() throws Exception {
        names = Names.open();
        elsewhere = new SmallServer("duramen://localhost:1?reconnect=false");
        spec.setConnectDelayMillis(50L);
        spec.setConnectDelayMaxMillis(50L);
    }

    @AfterEach
    void closeNames() {
        elsewhere.close();
        names.close();
    }

    private void assertIsFed() throws InterruptedException {
        Beans.Seen seen = beans.seen.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        assertThat(seen).isEqualTo(new Beans.Seen("order", 1, false));
    }

    @Test
    void shouldBeFedFromTheNodeOfTheFactoryThatItNames() throws Exception {
        names.bind("java:/jms/There", server.pool(1));
        spec.setConnectionFactoryLookup("java:/jms/There");
        spec.setDestination("orders");
        spec.setDestinationType("jakarta.jms.Queue");
        send("orders", "order");
        elsewhere.deploy(beans, spec);
        assertIsFed();
        elsewhere.undeploy(beans, spec);
    }

    @Test
    void shouldLogInAsTheUserOfTheFactoryThatItNamesUnlessItSaysAnother() throws Exception {
        DuramenConnectionFactory factory = new DuramenConnectionFactory("duramen://there:7777");
        factory.setUser("theirs");
        factory.setPassword("secret");
        names.bind("jms/There", factory);
        spec.setResourceAdapter(server.adapter);
        spec.setConnectionFactoryLookup("jms/There");
        assertThat(spec.login()).isEqualTo(new NodeLogin(factory.getUrl(), "theirs", "secret"));
        spec.setUserName("own");
        assertThat(spec.login()).isEqualTo(new NodeLogin(factory.getUrl(), "own", null));
        spec.setServerUrl("duramen://here");
        assertThat(spec.login().url()).isEqualTo("duramen://here");
    }

    @Test
    void shouldTellWhatIsWrongWithTheFactoryThatItNames() throws Exception {
        spec.setResourceAdapter(server.adapter);
        spec.setConnectionFactoryLookup("jms/Nothing");
        assertThatThrownBy(spec::login)
                .isInstanceOf(InvalidPropertyException.class)
                .hasMessageContaining("connectionFactoryLookup: nothing is bound as jms/Nothing");
        names.bind("jms/Nothing", "a text");
        assertThatThrownBy(spec::login)
                .isInstanceOf(InvalidPropertyException.class)
                .hasMessageContaining("is no connection factory of Duramen: a text");
    }

    @Test
    void shouldBeFedOnceTheFactoryThatItNamesIsBound() throws Exception {
        spec.setConnectionFactoryLookup("jms/Late");
        spec.setDestination("orders");
        spec.setDestinationType("jakarta.jms.Queue");
        send("orders", "order");
        elsewhere.deploy(beans, spec);
        assertThat(beans.seen.poll(MOMENT_MILLIS, TimeUnit.MILLISECONDS)).isNull();
        names.bind("jms/Late", server.pool(1));
        assertIsFed();
        elsewhere.undeploy(beans, spec);
    }

    @Test
    void shouldBeSentWhatIsInTheDestinationThatItNames() throws Exception {
        names.bind("java:/jms/orders", new DuramenQueue("orders.of.today"));
        send("orders.of.today", "order");
        spec.setDestinationLookup("java:/jms/orders");
        server.deploy(beans, spec);
        assertIsFed();
        server.undeploy(beans, spec);
    }

    @Test
    void shouldLookUpItsDestinationWhereItSaysSo() throws Exception {
        names.bind("orders", new DuramenTopic("news"));
        outside.createSharedDurableConsumer(outside.createTopic("news"), "readers")
                .close();
        outside.createProducer().send(outside.createTopic("news"), "order");
        spec.setDestination("orders");
        spec.setUseJNDI(true);
        spec.setSubscriptionDurability("Durable");
        spec.setSubscriptionName("readers");
        spec.setSharedSubscription(true);
        server.deploy(beans, spec);
        assertIsFed();
        server.undeploy(beans, spec);
    }
}
