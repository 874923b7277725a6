package io.duramen.jms.delivery;

import io.duramen.jms.link.Link;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Settle;
import jakarta.jms.JMSException;
import java.util.List;

/** Thread-safe. What a session was given from one place and has not settled yet. */
public interface Owing {
    int shard();

    int consumerId();

    boolean hasGiven();

    /** The listener that was given the delivery has returned: it counts as accepted, where the session has it still. */
    void accept(Delivery delivery);

    /** What was given, for the transaction that accepts it; still counts as given. */
    List<Commit.ConsumerSettlement> given();

    /** What was given and is enlisted nowhere: it belongs to a branch from now on, which alone settles it. */
    List<Commit.ConsumerSettlement> enlistGiven();

    /** The transaction or branch that accepts it has committed, or it is another's by now. */
    void committed(Commit.ConsumerSettlement settlement);

    /** A settlement of what a branch accepted; it counts as asked for from now on. */
    Settle.Request settle(Commit.ConsumerSettlement enlisted, Settle.Outcome outcome, String reason);

    /**
     * Settlements of all that was given; they count as asked for from now on.
     *
     * @param reason why, where it is not accepted; empty for nothing
     */
    List<Settle.Request> settleGiven(Settle.Outcome outcome, String reason);

    /**
     * The settlement of this delivery; none where it is no longer given.
     *
     * @param reason why, where it is not accepted; empty for nothing
     */
    List<Settle.Request> settleGiven(Delivery delivery, Settle.Outcome outcome, String reason);

    /** The node has answered a settlement; where it refused, what the application had counts as given again. */
    void settled(Settle.Request request, RuntimeException refusal);

    /** Whether the node has taken back, or is about to, all that was given: its consumer is over. */
    default boolean isEnded() {
        return false;
    }

    /** Lets nothing pass any more, and asks the node to stop sending: the first step of giving back. */
    void pause();

    /**
     * Waits until the node has stopped sending.
     *
     * @param link says how long at most: that over which the rest of it is said
     */
    void awaitDrained(Link link) throws JMSException;

    /** Releases of all that waits unseen; they count as asked for from now on. */
    List<Settle.Request> releaseUnseen();

    /** The last step of giving back. */
    void resume();
}
