package io.duramen.jms.link;

/** The link's thread only, and only while the call that gave it lasts. Takes frames in the order they are to travel. */
public interface FrameSink {
    /**
     * A request that is answered. It survives a lost connection as its {@link Reply#sentAgain} tells. A request longer
     * than the frame limit fails at once with MESSAGE_TOO_LARGE.
     */
    void request(Record request, Reply reply);

    /** A request that is answered only where it is refused; the refusal comes as {@link LinkListener#onRefusal}. */
    void oneWay(Record request, int owner);

    /** Lost with the connection. */
    void push(Record push);

    /** Counts the connections of this link, from 1: tells state that died with an earlier one. */
    int connection();

    LinkLimits limits();
}
