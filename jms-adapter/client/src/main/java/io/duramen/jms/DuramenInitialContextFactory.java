package io.duramen.jms;

import io.duramen.jms.destination.DuramenQueue;
import io.duramen.jms.destination.DuramenTopic;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;

/**
 * Any thread: holds nothing. A naming context made from properties alone:
 *
 * <pre>
 *   java.naming.provider.url=duramen://host:port      for factories without a URL of their own
 *   connectionFactory.NAME=duramen://host:port?…      a factory under NAME; ConnectionFactory is there always
 *   xaConnectionFactory.NAME=duramen://host:port?…    one whose sessions have an XAResource
 *   queue.NAME=orders                                 a destination under NAME
 *   topic.NAME=prices
 * </pre>
 *
 * {@code dynamicQueues/orders} and {@code dynamicTopics/prices} are found without being declared.
 */
public final class DuramenInitialContextFactory implements InitialContextFactory {
    private static final String FACTORY = "connectionFactory.";
    private static final String XA_FACTORY = "xaConnectionFactory.";
    private static final String QUEUE = "queue.";
    private static final String TOPIC = "topic.";

    @Override
    public Context getInitialContext(Hashtable<?, ?> environment) throws NamingException {
        Object provider = environment.get(Context.PROVIDER_URL);
        String url = provider == null ? ClientOptions.DEFAULT_URL : provider.toString();
        Map<String, Object> bindings = new ConcurrentHashMap<>();
        try {
            bindings.put("ConnectionFactory", new DuramenConnectionFactory(url));
            environment.forEach((key, value) -> bind(bindings, key.toString(), value.toString(), url));
        } catch (IllegalArgumentException e) {
            NamingException wrong = new NamingException(e.getMessage());
            wrong.initCause(e);
            throw wrong;
        }
        return new PropertiesContext(environment, bindings);
    }

    private static void bind(Map<String, Object> bindings, String key, String value, String url) {
        if (key.startsWith(FACTORY)) {
            bindings.put(key.substring(FACTORY.length()), new DuramenConnectionFactory(value.isBlank() ? url : value));
        } else if (key.startsWith(XA_FACTORY)) {
            String own = value.isBlank() ? url : value;
            bindings.put(key.substring(XA_FACTORY.length()), new DuramenXAConnectionFactory(own));
        } else if (key.startsWith(QUEUE)) {
            bindings.put(key.substring(QUEUE.length()), new DuramenQueue(value));
        } else if (key.startsWith(TOPIC)) {
            bindings.put(key.substring(TOPIC.length()), new DuramenTopic(value));
        }
    }
}
