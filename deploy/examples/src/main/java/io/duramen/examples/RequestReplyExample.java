package io.duramen.examples;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;

/**
 * Asks a service over a queue and waits for its answer on a temporary one. The client runs on the calling thread, the
 * service on its session's own.
 *
 * <p>A temporary queue lives as long as the connection that made it, and only that connection may consume from it. The
 * correlation id tells which question an answer belongs to.
 */
public final class RequestReplyExample {
    private static final String SERVICE = "examples.shouting";
    private static final long PATIENCE_MILLIS = 10_000;

    private RequestReplyExample() {}

    /** @param args the server's URL, or nothing for a node on this machine */
    public static void main(String[] args) throws JMSException {
        ConnectionFactory factory = new DuramenConnectionFactory(ServerUrl.from(args));
        try (JMSContext service = factory.createContext();
                JMSContext client = factory.createContext()) {
            service.createConsumer(service.createQueue(SERVICE))
                    .setMessageListener(question -> answer(service, question));

            Queue questions = client.createQueue(SERVICE);
            TemporaryQueue answers = client.createTemporaryQueue();
            JMSConsumer mailbox = client.createConsumer(answers);
            for (String word : new String[] {"oak", "beech", "ash"}) {
                TextMessage question = client.createTextMessage(word);
                question.setJMSReplyTo(answers);
                question.setJMSCorrelationID("about " + word);
                client.createProducer()
                        .setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                        .setTimeToLive(PATIENCE_MILLIS)
                        .send(questions, question);
                Message answer = mailbox.receive(PATIENCE_MILLIS);
                if (answer == null) {
                    throw new IllegalStateException("no answer within " + PATIENCE_MILLIS + " ms");
                }
                System.out.println(answer.getJMSCorrelationID() + ": " + answer.getBody(String.class));
            }
            mailbox.close();
            answers.delete();
        }
    }

    /** The service: its context is used by its listener's thread alone. */
    private static void answer(JMSContext service, Message question) {
        try {
            TextMessage answer =
                    service.createTextMessage(question.getBody(String.class).toUpperCase());
            answer.setJMSCorrelationID(question.getJMSCorrelationID());
            service.createProducer()
                    .setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                    .send(question.getJMSReplyTo(), answer);
        } catch (JMSException e) {
            throw new JMSRuntimeException("cannot answer", e.getErrorCode(), e);
        }
    }
}
