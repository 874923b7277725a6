package io.duramen.ra.outbound;

import jakarta.jms.IllegalStateException;
import java.util.Set;

/**
 * Any thread: holds nothing. What applications in a web or EJB container may not call, because it belongs to the server
 * (Jakarta Messaging 3.1, 12.2 and the API documentation of each method).
 */
final class Refused {
    /** Of sessions of any kind. */
    static final Set<String> IN_CONTAINER =
            Set.of("setMessageListener", "getMessageListener", "run", "setClientID", "setExceptionListener", "stop");

    /** Besides these, what a QueueSession does not know. */
    static final Set<String> FOR_QUEUES = Set.of(
            "createTopic",
            "createTemporaryTopic",
            "createDurableSubscriber",
            "createDurableConsumer",
            "createSharedConsumer",
            "createSharedDurableConsumer",
            "unsubscribe");

    /** Besides these, what a TopicSession does not know. */
    static final Set<String> FOR_TOPICS = Set.of("createQueue", "createTemporaryQueue", "createBrowser");

    private Refused() {}

    static IllegalStateException inContainer(String what) {
        return new IllegalStateException(
                what + " is for the application server: an application in it must not call this");
    }
}
