package io.duramen.jms.link;

/** One of {@link #answered} and {@link #failed} is called on the link's thread, exactly once; must not block. */
public interface Reply {
    void answered(Record response);

    /**
     * @param cause a {@link io.duramen.protocol.ProtocolException} where the node refused, a {@link LinkLostException}
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

    /** The bytes that the request ends with are read where they are from here on, until {@link #sent}: they must not change. */
    default void sending() {}

    /** From any thread, once for each {@link #sending}. */
    default void sent() {}
}
