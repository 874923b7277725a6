package io.duramen.jms.destination;

import jakarta.jms.JMSException;

/** Deletes a temporary destination: given to it by the connection that made it. Called from any thread. */
@FunctionalInterface
public interface TemporaryDeletion {
    /** @throws JMSException where it still has consumers, or the connection is closed */
    void delete(DuramenDestination temporary) throws JMSException;

    /** @param deletion null where the destination was made by another connection, which is refused */
    static void run(TemporaryDeletion deletion, DuramenDestination temporary) throws JMSException {
        if (deletion == null) {
            throw new jakarta.jms.IllegalStateException(
                    "temporary destination " + temporary + " can be deleted only by the connection that made it");
        }
        deletion.delete(temporary);
    }
}
