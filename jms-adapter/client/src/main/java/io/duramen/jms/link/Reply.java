package io.duramen.jms.link;

import io.duramen.protocol.ProtocolException;

/** One of {@link #answered} and {@link #failed} is called on the link's thread, exactly once; must not block. */
public interface Reply {
    void answered(Record response);

    /**
     * @param cause a {@link ProtocolException} where the node refused, a {@link LinkLostException}
     *     where the link gave up
     */
    void failed(RuntimeException cause);

    /**
     * Whether the request is to be sent again, unchanged and in its old place, over the next connection. Asked when the
     * connection is lost before the answer came, and again when there is another.
     *
     * @return false where its owner takes care of it when the link resumes, or has given it up; neither other method is
     *     called then
     */
    default boolean sentAgain() {
        return true;
    }

    /**
     * The destination is full, and the request waits until the node says that there is room; then it is sent again. Called on the
     * link's thread, each time that it has to wait; must not block.
     *
     * @param why as the node says it
     */
    default void waits(ProtocolException why) {}

    /** The bytes that the request ends with are read where they are from here on, until {@link #sent}: they must not change. */
    default void sending() {}

    /** From any thread, once for each {@link #sending}. */
    default void sent() {}
}
