package io.duramen.examples.spring;

import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.messaging.handler.annotation.SendTo;

/**
 * A Spring Boot application. The starter makes the connection factory of {@code duramen.url}, Spring Boot makes the rest of
 * it: the template that sends, and the container that calls the listener.
 *
 * <p>The listener's session is transacted: an order whose listener throws comes again, and its receipt is not sent.
 */
@SpringBootApplication
public class OrdersApplication {
    private static final String ORDERS = "examples.spring.orders";
    private static final String RECEIPTS = "examples.spring.receipts";

    /** @param args such as {@code --duramen.url=duramen://host:port} */
    public static void main(String[] args) {
        SpringApplication.run(OrdersApplication.class, args).close();
    }

    @JmsListener(destination = ORDERS)
    @SendTo(RECEIPTS)
    String receipt(String order) {
        return "receipt for " + order;
    }

    @Bean
    CommandLineRunner customer(JmsTemplate template) {
        return arguments -> {
            for (int i = 1; i <= 3; i++) {
                template.convertAndSend(ORDERS, "order " + i);
                System.out.println(template.receiveAndConvert(RECEIPTS));
            }
        };
    }
}
