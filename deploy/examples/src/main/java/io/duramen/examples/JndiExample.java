package io.duramen.examples;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/**
 * Finds the connection factory and a queue by names, as code does that knows no provider. Run by one thread.
 *
 * <p>What is here in the program stands in a {@code jndi.properties} on the class path elsewhere.
 */
public final class JndiExample {
    private static final long PATIENCE_MILLIS = 10_000;

    private JndiExample() {}

    /** @param args the server's URL, or nothing for a node on this machine */
    public static void main(String[] args) throws NamingException {
        Hashtable<String, String> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "io.duramen.jms.DuramenInitialContextFactory");
        environment.put("connectionFactory.jms/factory", ServerUrl.from(args));
        environment.put("queue.jms/letters", "examples.letters");
        Context names = new InitialContext(environment);

        ConnectionFactory factory = (ConnectionFactory) names.lookup("jms/factory");
        Queue letters = (Queue) names.lookup("jms/letters");
        try (JMSContext context = factory.createContext()) {
            context.createProducer().send(letters, "a letter");
            System.out.println(
                    "received " + context.createConsumer(letters).receiveBody(String.class, PATIENCE_MILLIS));
        }
    }
}
