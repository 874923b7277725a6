package io.duramen.ra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.destination.DuramenQueue;
import io.duramen.jms.destination.DuramenTopic;
import io.duramen.ra.inbound.DuramenActivationSpec;
import io.duramen.ra.outbound.DuramenManagedConnectionFactory;
import jakarta.resource.spi.InvalidPropertyException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a bean may say, and what it is told where it says something else. */
class ActivationSpecTest {
    private final DuramenActivationSpec spec = new DuramenActivationSpec();

    private void assertRefused(String... told) {
        assertThatThrownBy(spec::validate)
                .isInstanceOf(InvalidPropertyException.class)
                .hasMessageContainingAll(told);
    }

    @Test
    void shouldTellAllThatIsWrongAtOnce() throws Exception {
        spec.setAcknowledgeMode("Sometimes");
        spec.setMaxSessions(0);
        assertRefused("destination says nothing", "acknowledgeMode is Sometimes", "maxSessions is 0, less than 1");
        try {
            spec.validate();
        } catch (InvalidPropertyException e) {
            assertThat(e.getInvalidPropertyDescriptors()).isNotEmpty();
        }
    }

    /** A server's own classes call the setters that a class has, where they are declared. */
    @ParameterizedTest
    @ValueSource(
            classes = {
                DuramenActivationSpec.class,
                DuramenResourceAdapter.class,
                DuramenManagedConnectionFactory.class,
                DuramenQueue.class,
                DuramenTopic.class
            })
    void shouldLetAServerSetEveryProperty(Class<?> bean) {
        assertThat(bean.getMethods())
                .filteredOn(method -> method.getName().startsWith("set"))
                .isNotEmpty()
                .allSatisfy(method -> assertThat(
                                Modifier.isPublic(method.getDeclaringClass().getModifiers()))
                        .as(method.toString())
                        .isTrue());
    }

    /** Some servers ask a getter for the type with which they call the setter. */
    @Test
    void shouldHaveAGetterForEachPropertyThatABeanMaySay() throws Exception {
        for (Method setter : DuramenActivationSpec.class.getMethods()) {
            if (setter.getName().startsWith("set")) {
                Method getter = DuramenActivationSpec.class.getMethod(
                        "g" + setter.getName().substring(1));
                assertThat(getter.getReturnType()).as(getter.toString()).isEqualTo(setter.getParameterTypes()[0]);
            }
        }
    }

    @Test
    void shouldAskForATypeWhenADestinationIsNamed() {
        spec.setDestination("orders");
        assertRefused("destinationType must say jakarta.jms.Queue or jakarta.jms.Topic");
        spec.setDestinationType("queue");
        assertRefused("destinationType is queue");
        spec.setDestinationType("jakarta.jms.Queue");
        assertThatCode(spec::validate).doesNotThrowAnyException();
    }

    @Test
    void shouldAskForNamesWhenASubscriptionIsDurable() {
        spec.setDestination("news");
        spec.setDestinationType("jakarta.jms.Topic");
        spec.setSubscriptionDurability("Durable");
        assertRefused("subscriptionName must name", "clientId must be there");
        spec.setSubscriptionName("readers");
        spec.setClientId("me");
        assertThatCode(spec::validate).doesNotThrowAnyException();
        spec.setClientId(null);
        spec.setSharedSubscription(true);
        assertThatCode(spec::validate).doesNotThrowAnyException();
        spec.setDestinationType("jakarta.jms.Queue");
        assertRefused("is for topics");
    }

    @Test
    void shouldBoundWhatItSaysAboutRedelivery() {
        spec.setDestination("orders");
        spec.setDestinationType("jakarta.jms.Queue");
        spec.setRedeliveryDelayMillis(-1L);
        spec.setRedeliveryMultiplier(0);
        spec.setRedeliveryDelayMaxMillis(1L << 31);
        assertRefused(
                "redeliveryDelayMillis is -1, less than 0",
                "redeliveryMultiplier is 0, less than 1",
                "redeliveryDelayMaxMillis is 2147483648, more than 2147483647");
    }

    @Test
    void shouldTakeARangeOfSessions() {
        spec.setDestination("orders");
        spec.setDestinationType("jakarta.jms.Queue");
        assertThat(spec.getConcurrency()).isEqualTo("10-10");
        spec.setConcurrency("2-5");
        assertThat(spec.getMinSessions()).isEqualTo(2);
        assertThat(spec.getMaxSessions()).isEqualTo(5);
        assertThatCode(spec::validate).doesNotThrowAnyException();
        spec.setConcurrency("3");
        assertThat(spec.getMinSessions()).isEqualTo(3);
        assertThat(spec.getMaxSessions()).isEqualTo(3);
        spec.setEndpointPoolSteadySize(1);
        assertThat(spec.getMinSessions()).isEqualTo(1);
        spec.setMaxBatchSize(7);
        assertThat(spec.getPrefetch()).isEqualTo(7);
        spec.setMinSessions(4);
        assertRefused("minSessions is 4, more than 3");
        assertThatThrownBy(() -> spec.setConcurrency("many"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("concurrency is many");
    }

    @Test
    void shouldTakeLookupsWithoutAType() {
        spec.setDestination("java:/jms/orders");
        assertThatCode(spec::validate).doesNotThrowAnyException();
        spec.setDestination("jms/orders");
        assertRefused("destinationType must say");
        spec.setUseJNDI(true);
        assertThatCode(spec::validate).doesNotThrowAnyException();
    }

    /** Goal: nobody has to read the source for a property. */
    @Test
    void shouldStandInTheManualWithEachProperty() throws Exception {
        String page = Files.readString(Path.of("../deploy/docs/application-servers.md"));
        for (Method method : DuramenActivationSpec.class.getMethods()) {
            if (method.getName().startsWith("set") && !method.getName().equals("setResourceAdapter")) {
                String property = method.getName().substring(3, 4).toLowerCase(Locale.ROOT)
                        + method.getName().substring(4);
                assertThat(page).contains("`" + property + "`");
            }
        }
    }

    @Test
    void shouldKnowTheNamesOfOtherProviders() {
        spec.setMaxSession(1);
        assertThat(spec.getMaxSessions()).isEqualTo(1);
        spec.setEndpointPoolMaxSize(2);
        assertThat(spec.getMaxSessions()).isEqualTo(2);
        spec.setMaxPoolDepth(3);
        assertThat(spec.getMaxSessions()).isEqualTo(3);
        spec.setMaxConcurrency(4);
        assertThat(spec.getMaxSessions()).isEqualTo(4);
        spec.setUser("me");
        assertThat(spec.getUserName()).isEqualTo("me");
        spec.setClientID("mine");
        assertThat(spec.getClientId()).isEqualTo("mine");
        spec.setShareSubscriptions(true);
        assertThat(spec.getSharedSubscription()).isTrue();
        spec.setSetupAttempts(-1);
        assertThat(spec.getConnectAttempts()).isZero();
        spec.setSetupInterval(60_000L);
        assertThat(spec.getConnectDelayMillis()).isEqualTo(60_000);
        spec.setMaxSequentialDeliveryFailures(-1);
        assertThat(spec.getSequentialFailuresMax()).isZero();
        spec.setMaximumRedeliveries(2);
        assertThat(spec.getDeliveriesMax()).isEqualTo(3);
        spec.setMaximumRedeliveries(-1);
        assertThat(spec.getDeliveriesMax()).isZero();
        spec.setEndpointExceptionRedeliveryAttempts(6);
        assertThat(spec.getDeliveriesMax()).isEqualTo(7);
        spec.setInitialRedeliveryDelay(700L);
        assertThat(spec.getRedeliveryDelayMillis()).isEqualTo(700);
        spec.setRedeliveryBackOffMultiplier(2.6);
        assertThat(spec.getRedeliveryMultiplier()).isEqualTo(3);
        assertThat(spec.getRedeliveryUseExponentialBackOff()).isTrue();
        spec.setEndpointExceptionRedeliveryInterval(200);
        assertThat(spec.getRedeliveryDelayMillis()).isEqualTo(200);
        assertThat(spec.getRedeliveryUseExponentialBackOff()).isFalse();
        spec.setAddressList("duramen://here");
        assertThat(spec.getServerUrl()).isEqualTo("duramen://here");
    }

    @Test
    void shouldTakeWhatIsCalledABatchOrAPoolElsewhereForWhatItIs() {
        spec.setMaxBatchSize(11);
        assertThat(spec.getPrefetch()).isEqualTo(11);
        spec.setMaxMessagesPerSessions(12);
        assertThat(spec.getPrefetch()).isEqualTo(12);
        assertThat(spec.getMaxMessagesPerSessions()).isEqualTo(12);
        spec.setPoolTimeout(300_000);
        assertThat(spec.getSessionIdleMillis()).isEqualTo(300_000);
        assertThat(spec.getPoolTimeout()).isEqualTo(300_000);
    }
}
