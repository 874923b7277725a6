package io.duramen.ra;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DeadLetters;
import io.duramen.management.DestinationsMXBean;
import io.duramen.node.Duramen;
import io.duramen.ra.Beans.Seen;
import io.duramen.ra.inbound.DuramenActivationSpec;
import jakarta.jms.Message;
import jakarta.jms.Topic;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Beans that are sent messages. */
class InboundTest extends InASmallServer {
    private static DuramenActivationSpec orders() {
        DuramenActivationSpec spec = new DuramenActivationSpec();
        spec.setDestination("orders");
        spec.setDestinationType("jakarta.jms.Queue");
        spec.setConnectDelayMillis(50L);
        spec.setConnectDelayMaxMillis(200L);
        return spec;
    }

    private static Beans accepting() {
        return new Beans(true, message -> {});
    }

    private Seen next(Beans beans) throws InterruptedException {
        return beans.seen.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static Seen first(String text) {
        return new Seen(text, 1, false);
    }

    private static void rollBack() throws Exception {
        SmallServer.TRANSACTIONS.setRollbackOnly();
    }

    /** @param times how many deliveries it rolls back, the first */
    private Beans rollingBack(int times) {
        AtomicInteger deliveries = new AtomicInteger();
        return new Beans(true, message -> {
            if (deliveries.incrementAndGet() <= times) {
                rollBack();
            }
        });
    }

    @Test
    void shouldDeliverInATransaction() throws Exception {
        Beans beans = accepting();
        DuramenActivationSpec spec = orders();
        server.deploy(beans, spec);
        send("orders", "one", "two");
        assertThat(List.of(next(beans), next(beans))).containsExactlyInAnyOrder(first("one"), first("two"));
        server.undeploy(beans, spec);
        assertThat(take("orders", MOMENT_MILLIS)).isNull();
    }

    @Test
    void shouldRedeliverInOrderWithTheRightCountWhenTheTransactionRollsBack() throws Exception {
        Beans beans = rollingBack(2);
        DuramenActivationSpec spec = orders();
        spec.setMaxSessions(1);
        send("orders", "one", "two", "three");
        server.deploy(beans, spec);
        assertThat(next(beans)).isEqualTo(first("one"));
        assertThat(next(beans)).isEqualTo(new Seen("one", 2, true));
        assertThat(next(beans)).isEqualTo(new Seen("one", 3, true));
        assertThat(next(beans)).isEqualTo(first("two"));
        assertThat(next(beans)).isEqualTo(first("three"));
    }

    @Test
    void shouldRedeliverWhenTheBeanThrows() throws Exception {
        for (boolean transacted : new boolean[] {true, false}) {
            AtomicBoolean failed = new AtomicBoolean();
            Beans beans = new Beans(transacted, message -> {
                if (!failed.getAndSet(true)) {
                    throw new IllegalArgumentException("of the bean");
                }
            });
            DuramenActivationSpec spec = orders();
            server.deploy(beans, spec);
            send("orders", "order");
            assertThat(next(beans)).isEqualTo(first("order"));
            assertThat(next(beans)).isEqualTo(new Seen("order", 2, true));
            server.undeploy(beans, spec);
            assertThat(take("orders", MOMENT_MILLIS)).isNull();
        }
    }

    /** Goal: one refusal, not one message after the other, however many there are. */
    @ParameterizedTest
    @EnumSource(
            value = Beans.Refusal.class,
            names = {"BEFORE_DELIVERY", "ON_MESSAGE"})
    void shouldGiveBackUncountedAndInOrderWhatTheServerDoesNotPassToTheBean(Beans.Refusal how) throws Exception {
        Beans beans = accepting();
        beans.refuse(how);
        DuramenActivationSpec spec = orders();
        spec.setMaxSessions(1);
        spec.setFailurePauseMillis(400L);
        send("orders", "one", "two", "three");
        server.deploy(beans, spec);
        assertThat(beans.refusals.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(how);
        assertThat(beans.refusals.poll(MOMENT_MILLIS, TimeUnit.MILLISECONDS))
                .as("while it pauses")
                .isNull();
        assertThat(beans.refusals.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                .as("the one that is tried")
                .isEqualTo(how);
        beans.refuse(Beans.Refusal.NONE);
        assertThat(List.of(next(beans), next(beans), next(beans)))
                .containsExactly(first("one"), first("two"), first("three"));
        server.undeploy(beans, spec);
        assertThat(take("orders", MOMENT_MILLIS)).isNull();
    }

    @Test
    void shouldLeaveItToTheServerWhetherADeliveryWithAnApplicationExceptionCommits() throws Exception {
        Beans beans = new Beans(true, message -> {
            if (message.getBody(String.class).equals("rolled back") && !message.getJMSRedelivered()) {
                rollBack();
            }
            throw new Beans.Told();
        });
        DuramenActivationSpec spec = orders();
        spec.setMaxSessions(1);
        spec.setSequentialFailuresMax(2);
        send("orders", "told", "rolled back", "told", "told", "told");
        server.deploy(beans, spec);
        assertThat(next(beans)).isEqualTo(first("told"));
        assertThat(next(beans)).isEqualTo(first("rolled back"));
        assertThat(next(beans)).isEqualTo(new Seen("rolled back", 2, true));
        for (int i = 0; i < 3; i++) {
            assertThat(next(beans)).as("what commits is no failure").isEqualTo(first("told"));
        }
        server.undeploy(beans, spec);
        assertThat(take("orders", MOMENT_MILLIS)).isNull();
    }

    /** Goal: what the adapter takes for an undeployment, and is none, comes to an end. */
    @Test
    void shouldCountInTheEndWhatTheServerWouldCommitEachTime() throws Exception {
        Beans beans = new Beans(true, message -> {
            if (message.getBody(String.class).equals("bad")) {
                throw new Beans.DeclaredElsewhere();
            }
        });
        DuramenActivationSpec spec = orders();
        spec.setMaxSessions(1);
        spec.setDeliveriesMax(2);
        spec.setFailurePauseMillis(1L);
        spec.setFailurePauseMaxMillis(1L);
        send("orders", "bad", "good");
        server.deploy(beans, spec);
        for (int uncounted = 1; uncounted <= 5; uncounted++) {
            assertThat(next(beans)).isEqualTo(first("bad"));
        }
        assertThat(next(beans)).as("from here on they count").isEqualTo(first("bad"));
        assertThat(next(beans)).isEqualTo(new Seen("bad", 2, true));
        assertThat(next(beans)).isEqualTo(first("good"));
        Message letter = take("DLQ.orders", PATIENCE_MILLIS);
        assertThat(letter.getBody(String.class)).isEqualTo("bad");
        assertThat(letter.getLongProperty(DeadLetters.DELIVERY_COUNT)).isEqualTo(2);
        server.undeploy(beans, spec);
        assertThat(take("orders", MOMENT_MILLIS)).isNull();
    }

    @Test
    void shouldRedeliverWhenAnErrorIsThrown() throws Exception {
        Beans beans = new Beans(true, message -> {
            if (!message.getJMSRedelivered()) {
                throw new AssertionError("of the bean");
            }
        });
        DuramenActivationSpec spec = orders();
        send("orders", "order");
        server.deploy(beans, spec);
        assertThat(next(beans)).isEqualTo(first("order"));
        assertThat(next(beans)).isEqualTo(new Seen("order", 2, true));
        server.undeploy(beans, spec);
        assertThat(take("orders", MOMENT_MILLIS)).isNull();
    }

    @Test
    void shouldWorkOnSeveralAtATime() throws Exception {
        CyclicBarrier together = new CyclicBarrier(3);
        Beans beans = new Beans(true, message -> together.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
        DuramenActivationSpec spec = orders();
        spec.setMaxSession(3);
        spec.setPrefetch(1);
        server.deploy(beans, spec);
        send("orders", "one", "two", "three");
        for (int i = 0; i < 3; i++) {
            assertThat(next(beans).count()).isEqualTo(1);
        }
        server.undeploy(beans, spec);
        assertThat(take("orders", MOMENT_MILLIS)).isNull();
    }

    private int consumers(String queue) throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = server.queryNames(new ObjectName("io.duramen:type=Destinations,*"), null)
                .iterator()
                .next();
        DestinationsMXBean destinations = JMX.newMXBeanProxy(server, name, DestinationsMXBean.class);
        return destinations.list(queue, "", 1).getRows().get(0).getConsumers();
    }

    @Test
    void shouldHaveMoreSessionsWhileAllAreBusyAndFewerWhenTheyAreNotNeeded() throws Exception {
        CyclicBarrier together = new CyclicBarrier(3);
        Beans beans = new Beans(true, message -> together.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
        DuramenActivationSpec spec = orders();
        spec.setConcurrency("1-3");
        spec.setSessionIdleMillis(500L);
        send("orders", "one", "two", "three", "four", "five", "six");
        server.deploy(beans, spec);
        for (int i = 0; i < 6; i++) {
            assertThat(next(beans).count()).isEqualTo(1);
        }
        Awaitility.await().untilAsserted(() -> assertThat(consumers("orders")).isEqualTo(1));
        send("orders", "seven", "eight", "nine");
        for (int i = 0; i < 3; i++) {
            assertThat(next(beans).count()).isEqualTo(1);
        }
        server.undeploy(beans, spec);
        assertThat(take("orders", MOMENT_MILLIS)).isNull();
    }

    @Test
    void shouldBeFedWhenTheNodeComesLate() throws Exception {
        int port = node.port();
        outside.close();
        node.close();
        Beans beans = accepting();
        server.deploy(beans, orders());
        assertThat(beans.seen.poll(MOMENT_MILLIS, TimeUnit.MILLISECONDS)).isNull();
        node = Duramen.embedded().dataDirectory(data).port(port).start();
        outside = new io.duramen.jms.DuramenConnectionFactory(node.url()).createContext();
        send("orders", "late");
        assertThat(next(beans)).isEqualTo(first("late"));
    }

    /** Method: somebody listens, counts, and hangs up. */
    @Test
    void shouldBeGivenUpAfterSoManyAttempts() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        try (ServerSocket nobody = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread counting = new Thread(() -> {
                while (!nobody.isClosed()) {
                    try {
                        nobody.accept().close();
                        attempts.incrementAndGet();
                    } catch (IOException e) {
                        return;
                    }
                }
            });
            counting.start();
            DuramenActivationSpec spec = orders();
            spec.setServerUrl("duramen://127.0.0.1:" + nobody.getLocalPort() + "?reconnect=false");
            spec.setConnectAttempts(3);
            spec.setConnectDelayMaxMillis(50L);
            server.deploy(accepting(), spec);
            Awaitility.await().until(() -> attempts.get() == 3);
            Awaitility.await().during(Duration.ofMillis(2 * MOMENT_MILLIS)).until(() -> attempts.get() == 3);
        }
    }

    @Test
    void shouldGoOnWhenTheNodeRestarts() throws Exception {
        Beans beans = accepting();
        server.deploy(beans, orders());
        send("orders", "before");
        assertThat(next(beans)).isEqualTo(first("before"));
        awaitSettled("orders");
        restartNode();
        send("orders", "after");
        assertThat(next(beans).text()).isEqualTo("after");
    }

    @Test
    void shouldMakeAnotherConnectionWhenItsOwnIsGivenUp() throws Exception {
        Beans beans = accepting();
        DuramenActivationSpec spec = orders();
        spec.setServerUrl(node.url() + "?reconnect=false");
        server.deploy(beans, spec);
        send("orders", "before");
        assertThat(next(beans)).isEqualTo(first("before"));
        awaitSettled("orders");
        restartNode();
        send("orders", "after");
        assertThat(next(beans).text()).isEqualTo("after");
    }

    @Test
    void shouldPauseAndTryOneWhenDeliveriesFailInARow() throws Exception {
        AtomicBoolean databaseAway = new AtomicBoolean(true);
        Beans beans = new Beans(true, message -> {
            if (databaseAway.get()) {
                rollBack();
            }
        });
        DuramenActivationSpec spec = orders();
        spec.setMaxSessions(1);
        spec.setMaxSequentialDeliveryFailures(3);
        spec.setFailurePauseMillis(400L);
        spec.setFailurePauseMaxMillis(400L);
        server.deploy(beans, spec);
        send("orders", "one", "two");
        for (int count = 1; count <= 3; count++) {
            assertThat(next(beans)).isEqualTo(new Seen("one", count, count > 1));
        }
        assertThat(beans.seen.poll(200, TimeUnit.MILLISECONDS))
                .as("while it pauses")
                .isNull();
        assertThat(next(beans)).as("the one that is tried").isEqualTo(new Seen("one", 4, true));
        assertThat(beans.seen.poll(200, TimeUnit.MILLISECONDS))
                .as("while it pauses again")
                .isNull();
        databaseAway.set(false);
        assertThat(next(beans)).isEqualTo(new Seen("one", 5, true));
        assertThat(next(beans)).isEqualTo(first("two"));
    }

    /** Method: with the node's own policy here nothing would pass. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldLetOthersPassWhatFailedWhileThatWaitsAsTheBeanSays(boolean transacted) throws Exception {
        Beans beans = new Beans(transacted, message -> {
            if (message.getBody(String.class).equals("bad") && message.getIntProperty("JMSXDeliveryCount") <= 2) {
                throw new IllegalArgumentException("bad");
            }
        });
        DuramenActivationSpec spec = orders();
        spec.setMaxSessions(1);
        spec.setRedeliveryDelayMillis(400L);
        send("orders", "bad", "good");
        server.deploy(beans, spec);
        assertThat(next(beans)).isEqualTo(first("bad"));
        assertThat(next(beans)).isEqualTo(first("good"));
        assertThat(next(beans)).isEqualTo(new Seen("bad", 2, true));
        send("orders", "better");
        assertThat(next(beans)).isEqualTo(first("better"));
        assertThat(next(beans)).isEqualTo(new Seen("bad", 3, true));
        server.undeploy(beans, spec);
        assertThat(take("orders", MOMENT_MILLIS)).isNull();
    }

    @Test
    void shouldTryNoneWhoseWaitIsOverBeforeThePauseIs() throws Exception {
        Beans beans = rollingBack(2);
        DuramenActivationSpec spec = orders();
        spec.setMaxSessions(1);
        spec.setRedeliveryDelayMillis(50L);
        spec.setRedeliveryMultiplier(1);
        spec.setSequentialFailuresMax(2);
        spec.setFailurePauseMillis(1_000L);
        send("orders", "one", "two");
        server.deploy(beans, spec);
        assertThat(next(beans)).isEqualTo(first("one"));
        assertThat(next(beans)).isEqualTo(first("two"));
        assertThat(beans.seen.poll(MOMENT_MILLIS, TimeUnit.MILLISECONDS))
                .as("while it pauses")
                .isNull();
        assertThat(next(beans)).as("the one that is tried").isEqualTo(new Seen("one", 2, true));
        assertThat(next(beans)).isEqualTo(new Seen("two", 2, true));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldMoveAMessageToTheDeadLettersWhenItsBeanHasFailedSoOften(boolean transacted) throws Exception {
        Beans beans = new Beans(transacted, message -> {
            if (message.getBody(String.class).equals("bad")) {
                throw new IllegalArgumentException("bad");
            }
        });
        DuramenActivationSpec spec = orders();
        spec.setMaxSessions(1);
        spec.setDeliveriesMax(2);
        server.deploy(beans, spec);
        send("orders", "bad", "good");
        assertThat(next(beans)).isEqualTo(first("bad"));
        assertThat(next(beans)).isEqualTo(new Seen("bad", 2, true));
        assertThat(next(beans)).isEqualTo(first("good"));
        Message letter = take("DLQ.orders", PATIENCE_MILLIS);
        assertThat(letter.getBody(String.class)).isEqualTo("bad");
        assertThat(letter.getLongProperty(DeadLetters.DELIVERY_COUNT)).isEqualTo(2);
        assertThat(letter.getStringProperty(DeadLetters.CAUSE)).contains("delivered 2 times");
        server.undeploy(beans, spec);
        assertThat(take("orders", MOMENT_MILLIS)).isNull();
    }

    /** Method: another resource prepares after the message's branch, and will not. */
    @Test
    void shouldMoveAMessageToTheDeadLettersWhenItsBranchHadPreparedEachTime() throws Exception {
        Beans beans = new Beans(
                true, message -> SmallServer.TRANSACTIONS.getTransaction().enlistResource(new Unwilling()));
        DuramenActivationSpec spec = orders();
        spec.setMaxSessions(1);
        spec.setDeliveriesMax(2);
        server.deploy(beans, spec);
        send("orders", "bad");
        assertThat(next(beans)).isEqualTo(first("bad"));
        assertThat(next(beans)).isEqualTo(new Seen("bad", 2, true));
        assertThat(take("DLQ.orders", PATIENCE_MILLIS).getBody(String.class)).isEqualTo("bad");
        assertThat(beans.seen).as("a delivery too many").isEmpty();
    }

    @Test
    void shouldEndWhatIsInHandAndLeaveTheRestUntouchedWhenItIsUndeployed() throws Exception {
        CountDownLatch inHand = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Beans beans = new Beans(true, message -> {
            inHand.countDown();
            mayEnd.await();
        });
        DuramenActivationSpec spec = orders();
        spec.setMaxSessions(1);
        send("orders", "one", "two", "three", "four");
        server.deploy(beans, spec);
        inHand.await();
        Thread undeploying = new Thread(() -> server.undeploy(beans, spec));
        undeploying.start();
        undeploying.join(MOMENT_MILLIS);
        assertThat(undeploying.isAlive()).as("waits for what is in hand").isTrue();
        mayEnd.countDown();
        undeploying.join(PATIENCE_MILLIS);
        assertThat(undeploying.isAlive()).isFalse();
        List<Seen> left = new ArrayList<>();
        for (Message message = take("orders", MOMENT_MILLIS);
                message != null;
                message = take("orders", MOMENT_MILLIS)) {
            left.add(Seen.of(message));
        }
        assertThat(beans.seen).containsExactly(first("one"));
        assertThat(left).containsExactly(first("two"), first("three"), first("four"));
    }

    @Test
    void shouldConsumeADurableSharedSubscriptionWithASelector() throws Exception {
        Beans beans = accepting();
        DuramenActivationSpec spec = new DuramenActivationSpec();
        spec.setDestination("news");
        spec.setDestinationType("jakarta.jms.Topic");
        spec.setSubscriptionDurability("Durable");
        spec.setSubscriptionName("readers");
        spec.setShareSubscriptions(true);
        spec.setMessageSelector("weight > 10");
        Topic news = outside.createTopic("news");
        outside.createSharedDurableConsumer(news, "readers", "weight > 10").close();
        outside.createProducer().setProperty("weight", 20).send(news, "while away");
        server.deploy(beans, spec);
        assertThat(next(beans)).isEqualTo(first("while away"));
        outside.createProducer().setProperty("weight", 5).send(news, "light");
        outside.createProducer().setProperty("weight", 15).send(news, "heavy");
        assertThat(next(beans)).isEqualTo(first("heavy"));
    }
}
