package io.duramen.jms.publishing;

import io.duramen.jms.message.DuramenMessage;
import io.duramen.jms.message.SendHeaders;
import io.duramen.protocol.frame.PartitionRef;
import jakarta.jms.JMSException;

/** One thread at a time. Where the producers of a session put their messages. */
public interface Outbox {
    /**
     * Longest body that the record of its message shall hold now; a longer one is to be stored ahead of it.
     *
     * @param most that it ever may
     */
    default int bodyLengthMax(int most) {
        return most;
    }

    /**
     * Sends, and waits until it is as safe as its delivery mode asks for.
     *
     * @param persistent the delivery mode, also in {@code headers}
     */
    void send(DuramenMessage message, SendHeaders headers, PartitionRef partition, boolean persistent)
            throws JMSException;

    /**
     * Sends, and tells the listener in {@code completion} later.
     *
     * @throws JMSException where the message cannot be taken at all; the listener is not called then
     */
    void sendAsync(
            DuramenMessage message,
            SendHeaders headers,
            PartitionRef partition,
            boolean persistent,
            Completions.Send completion)
            throws JMSException;
}
