package io.duramen.jms.link;

import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.Drained;
import io.duramen.protocol.frame.EndConsumer;
import io.duramen.protocol.frame.Recall;

/** Called on the link's thread; must not block. */
public interface LinkListener {
    void onDeliver(Deliver.Push deliver);

    void onDrained(Drained.Push drained);

    void onRecall(Recall.Push recall);

    void onEndConsumer(EndConsumer.Push end);

    /** A one-way request was refused. */
    void onRefusal(int owner, ProtocolException refusal);

    /** The connection is gone; the link tries to come back. Everything the node had been lent by it is void. */
    void onLost(LinkLostException cause);

    /** Logged in again: put what the node must know before unanswered requests are repeated. */
    void onResume(FrameSink sink);

    /** The link will not come back. Called once, after all that waited has failed; not after {@link Link#close}. */
    void onGivenUp(LinkLostException cause);
}
