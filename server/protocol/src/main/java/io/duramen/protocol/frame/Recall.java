package io.duramen.protocol.frame;

/**
 * One way, server to client: another consumer of the subscription has nothing to do while this one holds deliveries that
 * its application has not seen. The server has taken this consumer's credit back. The client releases (see {@link
 * Settle.Outcome#RELEASED}) what it can of them, then says that this was all by a {@link Credit} without messages, bytes or
 * drain. Credit and drains that the server meets before that answer crossed the question and are void; the client grants
 * anew when its application asks for more. The server asks nothing again before it has the answer.
 */
public interface Recall {
    /** @param count how many deliveries are asked for, of those not seen the last */
    record Push(int shard, int consumerId, int count) {}
}
