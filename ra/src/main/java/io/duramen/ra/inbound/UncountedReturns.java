package io.duramen.ra.inbound;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread-safe: guarded by itself, and asked only where something was thrown. How often messages of an activation went back
 * uncounted because the server would have committed their deliveries though something was thrown. A server that is
 * undeploying a bean does so for a moment; one that does it every time with the same message takes what was thrown for an
 * application exception, of which the adapter cannot know. From then on such deliveries count, so that they come to an end.
 */
final class UncountedReturns {
    /** Of a message, in a row. With the pauses between them that takes about two minutes where the spec leaves these alone. */
    static final int MAX = 5;

    private static final Logger LOG = LoggerFactory.getLogger(UncountedReturns.class);
    private static final int MESSAGES_MAX = 1_000;

    private final String name;
    /** By message id; all that have none count as one. The one that was asked for longest ago is forgotten first. */
    private final Map<String, Integer> returns = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
            return size() > MESSAGES_MAX;
        }
    };

    /** @param name of the activation, for the log */
    UncountedReturns(String name) {
        this.name = name;
    }

    /**
     * Whether the message may go back uncounted once more; counts that.
     *
     * @param message null where it is not in hand any more
     */
    synchronized boolean allows(Message message, Throwable thrown) {
        String id = idOf(message);
        int sofar = returns.getOrDefault(id, 0);
        if (sofar > MAX) {
            return false;
        }
        returns.put(id, sofar + 1);
        if (sofar == MAX) {
            LOG.warn(
                    "{}: the application server would have committed a delivery of message {} {} times though {} was thrown; from here"
                            + " on these deliveries count. If that is an application exception, its class needs the annotation"
                            + " jakarta.ejb.ApplicationException",
                    name,
                    id,
                    MAX + 1,
                    thrown.getClass().getName());
            return false;
        }
        return true;
    }

    private static String idOf(Message message) {
        try {
            return message == null ? "null" : String.valueOf(message.getJMSMessageID());
        } catch (JMSException e) {
            return "null";
        }
    }
}
