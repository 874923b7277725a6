package io.duramen.protocol.frame;

/**
 * One way, server to client: another consumer of the subscription has nothing to do while this one holds deliveries that
 * its application has not seen. The server has taken this consumer's credit back. The client releases (see {@link
 * Settle.Outcome#RELEASED}) what it can of them, or says by a {@link Credit} without messages that there is none, and
 * grants credit again when its application asks for more.
 */
public interface Recall {
    /** @param count how many deliveries are asked for, of those not seen the last */
    record Push(int shard, int consumerId, int count) {}
}
