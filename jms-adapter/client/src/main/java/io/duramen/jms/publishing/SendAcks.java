package io.duramen.jms.publishing;

import io.duramen.jms.message.SendHeaders;
import io.duramen.protocol.frame.Publish.Acks;

/**
 * Any thread. What sends outside of transactions wait for, by their delivery mode. What is in a transaction, a branch or a half message is
 * always as safe as with {@link Acks#ALL}.
 *
 * @param persistent never NONE
 * @param nonPersistent NONE: a blocking send waits for nothing
 */
public record SendAcks(Acks persistent, Acks nonPersistent) {
    /** What Jakarta Messaging promises. */
    public static final SendAcks USUAL = new SendAcks(Acks.ALL, Acks.NONE);

    /** Of a blocking send. A persistent message that waits for its delivery time is not answered earlier than usual. */
    Acks of(boolean isPersistent, SendHeaders headers) {
        if (!isPersistent) {
            return nonPersistent;
        }
        return headers.isDelayed() ? Acks.ALL : persistent;
    }

    /** Of a send that has to know whether it was refused. */
    Acks answered(boolean isPersistent, SendHeaders headers) {
        Acks acks = of(isPersistent, headers);
        return acks == Acks.NONE ? Acks.LEADER : acks;
    }
}
