package io.duramen.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.CamelContext;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.jms.JmsComponent;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Camel's JMS component: routes, request and reply, transactions. */
class CamelTest extends AgainstANode {
    /** What a route calls. */
    public static final class Shouting {
        public String shout(String text) {
            return text.toUpperCase();
        }
    }

    private final CamelContext camel = new DefaultCamelContext();
    private DuramenConnectionFactory factory;

    @BeforeEach
    void prepare() {
        factory = factory();
        camel.addComponent("jms", JmsComponent.jmsComponentAutoAcknowledge(factory));
        camel.addComponent("transacted", JmsComponent.jmsComponentTransacted(factory));
        camel.getRegistry().bind("shouting", new Shouting());
    }

    @AfterEach
    void endCamel() {
        camel.stop();
    }

    private void route(RouteBuilder routes) throws Exception {
        camel.addRoutes(routes);
        camel.start();
    }

    @Test
    void shouldRouteFromAQueueThroughABeanToATopic() throws Exception {
        try (JMSContext context = factory.createContext()) {
            JMSConsumer reader = context.createConsumer(context.createTopic("loud"));
            route(new RouteBuilder() {
                @Override
                public void configure() {
                    from("jms:queue:quiet").bean("shouting", "shout").to("jms:topic:loud");
                }
            });
            context.createProducer().setProperty("colour", "green").send(context.createQueue("quiet"), "oak");
            Message heard = reader.receive(PATIENCE_MILLIS);
            assertThat(heard.getBody(String.class)).isEqualTo("OAK");
            assertThat(heard.getStringProperty("colour")).isEqualTo("green");
        }
    }

    @Test
    void shouldAnswerRequestsOverATemporaryAndOverAFixedQueue() throws Exception {
        route(new RouteBuilder() {
            @Override
            public void configure() {
                from("jms:queue:questions?concurrentConsumers=2").bean("shouting", "shout");
                from("direct:temporary").to("jms:queue:questions");
                from("direct:fixed").to("jms:queue:questions?replyTo=answers&replyToType=Exclusive");
                from("direct:shared").to("jms:queue:questions?replyTo=shared-answers&replyToType=Shared");
            }
        });
        var template = camel.createProducerTemplate();
        for (String way : new String[] {"direct:temporary", "direct:fixed", "direct:shared"}) {
            for (String word : new String[] {"oak", "beech", "ash"}) {
                assertThat(template.requestBody(way, word, String.class))
                        .as(way)
                        .isEqualTo(word.toUpperCase());
            }
        }
        template.stop();
    }

    @Test
    void shouldHearAgainWhatATransactedRouteFailedOn() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        route(new RouteBuilder() {
            @Override
            public void configure() {
                from("transacted:queue:orders")
                        .process(exchange -> {
                            if (attempts.incrementAndGet() < 3) {
                                throw new IllegalStateException("on purpose");
                            }
                        })
                        .to("transacted:queue:bills");
            }
        });
        try (JMSContext context = factory.createContext()) {
            context.createProducer().send(context.createQueue("orders"), "order");
            JMSConsumer bills = context.createConsumer(context.createQueue("bills"));
            assertThat(bills.receiveBody(String.class, PATIENCE_MILLIS)).isEqualTo("order");
            assertThat(attempts).hasValue(3);
            assertThat(context.createConsumer(context.createQueue("orders")).receiveNoWait())
                    .isNull();
        }
    }
}
