package io.duramen.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.connection.JmsTransactionManager;
import org.springframework.jms.connection.SingleConnectionFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's templates over its own connection factories. */
class SpringTemplateTest extends AgainstANode {
    private static JmsTemplate template(jakarta.jms.ConnectionFactory factory) {
        JmsTemplate template = new JmsTemplate(factory);
        template.setReceiveTimeout(PATIENCE_MILLIS);
        return template;
    }

    @Test
    void shouldSendReceiveAndBrowseThroughCachedSessions() throws Exception {
        CachingConnectionFactory cached = new CachingConnectionFactory(factory());
        cached.setSessionCacheSize(3);
        cached.setCacheConsumers(true);
        try {
            JmsTemplate template = template(cached);
            for (int i = 0; i < 5; i++) {
                template.convertAndSend("orders", "order " + i);
            }
            List<String> browsed = template.browse("orders", (session, browser) -> {
                List<String> texts = new ArrayList<>();
                for (Object message : Collections.list((java.util.Enumeration<?>) browser.getEnumeration())) {
                    texts.add(((TextMessage) message).getText());
                }
                return texts;
            });
            assertThat(browsed).containsExactly("order 0", "order 1", "order 2", "order 3", "order 4");
            for (int i = 0; i < 5; i++) {
                assertThat(template.receiveAndConvert("orders")).isEqualTo("order " + i);
            }
            template.setReceiveTimeout(JmsTemplate.RECEIVE_TIMEOUT_NO_WAIT);
            assertThat(template.receive("orders")).isNull();
            template.setReceiveTimeout(20);
            assertThat(template.receive("orders")).isNull();
        } finally {
            cached.destroy();
        }
    }

    @Test
    void shouldKeepSendSettingsApartOnACachedProducer() throws JMSException {
        CachingConnectionFactory cached = new CachingConnectionFactory(factory());
        try {
            JmsTemplate plain = template(cached);
            JmsTemplate special = template(cached);
            special.setExplicitQosEnabled(true);
            special.setPriority(7);
            special.setTimeToLive(60_000);
            special.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            special.setMessageIdEnabled(false);
            special.setMessageTimestampEnabled(false);
            special.convertAndSend("orders", "special");
            Message first = plain.receive("orders");
            plain.convertAndSend("orders", "plain");
            Message second = plain.receive("orders");
            assertThat(first.getJMSPriority()).isEqualTo(7);
            assertThat(first.getJMSExpiration()).isPositive();
            assertThat(first.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
            assertThat(second.getJMSPriority()).isEqualTo(4);
            assertThat(second.getJMSExpiration()).isZero();
            assertThat(second.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
            assertThat(second.getJMSMessageID()).isNotNull();
        } finally {
            cached.destroy();
        }
    }

    @Test
    void shouldAnswerARequestOverATemporaryQueue() throws Exception {
        CachingConnectionFactory cached = new CachingConnectionFactory(factory());
        try {
            JmsTemplate asking = template(cached);
            JmsTemplate answering = template(factory());
            CompletableFuture<Void> service = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 3; i++) {
                    Message question = answering.receive("questions");
                    try {
                        String text = question.getBody(String.class);
                        answering.send(
                                question.getJMSReplyTo(), session -> session.createTextMessage(text.toUpperCase()));
                    } catch (JMSException e) {
                        throw new AssertionError(e);
                    }
                }
            });
            for (String word : List.of("oak", "beech", "ash")) {
                Message answer = asking.sendAndReceive("questions", session -> session.createTextMessage(word));
                assertThat(answer.getBody(String.class)).isEqualTo(word.toUpperCase());
            }
            service.join();
        } finally {
            cached.destroy();
        }
    }

    @Test
    void shouldSendNothingWhenTheTransactionIsRolledBack() throws Exception {
        CachingConnectionFactory cached = new CachingConnectionFactory(factory());
        try {
            JmsTemplate template = template(cached);
            template.setSessionTransacted(true);
            TransactionTemplate transaction = new TransactionTemplate(new JmsTransactionManager(cached));
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                        template.convertAndSend("orders", "never");
                        throw new IllegalStateException("on purpose");
                    }))
                    .hasMessage("on purpose");
            transaction.executeWithoutResult(status -> template.convertAndSend("orders", "once"));
            transaction.executeWithoutResult(status -> {
                assertThat(template.receiveAndConvert("orders")).isEqualTo("once");
                status.setRollbackOnly();
            });
            transaction.executeWithoutResult(status -> {
                Message again = template.receive("orders");
                try {
                    assertThat(again.getJMSRedelivered()).isTrue();
                    assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
                } catch (JMSException e) {
                    throw new AssertionError(e);
                }
            });
            template.setReceiveTimeout(JmsTemplate.RECEIVE_TIMEOUT_NO_WAIT);
            assertThat(template.receive("orders")).isNull();
        } finally {
            cached.destroy();
        }
    }

    @Test
    void shouldStartAndStopASharedConnectionByWhoUsesIt() throws Exception {
        SingleConnectionFactory single = new SingleConnectionFactory(factory());
        single.setClientId("the shared one");
        try {
            JmsTemplate template = template(single);
            template.convertAndSend("orders", "order");
            jakarta.jms.Connection user = single.createConnection();
            Session session = user.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
            assertThat(consumer.receiveNoWait()).as("it is not started").isNull();
            user.start();
            assertThat(consumer.receive(PATIENCE_MILLIS).getBody(String.class)).isEqualTo("order");
            user.stop();
            user.close();
            assertThat(single.createConnection().getClientID()).isEqualTo("the shared one");
        } finally {
            single.destroy();
        }
    }

    @Test
    void shouldGoOnThroughTheSameFactoryWhenTheNodeWasRestarted() throws Exception {
        CachingConnectionFactory cached = new CachingConnectionFactory(factory());
        try {
            JmsTemplate template = template(cached);
            template.convertAndSend("orders", "before");
            restartNode();
            template.convertAndSend("orders", "after");
            assertThat(template.receiveAndConvert("orders")).isEqualTo("before");
            assertThat(template.receiveAndConvert("orders")).isEqualTo("after");
        } finally {
            cached.destroy();
        }
    }

    @Test
    void shouldConnectAnewWhenTheConnectionWasGivenUp() throws Exception {
        CachingConnectionFactory cached = new CachingConnectionFactory(factory("reconnect=false"));
        try {
            JmsTemplate template = template(cached);
            template.convertAndSend("orders", "before");
            restartNode();
            org.awaitility.Awaitility.await().ignoreExceptions().until(() -> {
                template.convertAndSend("orders", "after");
                return true;
            });
            assertThat(template.receiveAndConvert("orders")).isEqualTo("before");
            assertThat(template.receiveAndConvert("orders")).isEqualTo("after");
        } finally {
            cached.destroy();
        }
    }
}
