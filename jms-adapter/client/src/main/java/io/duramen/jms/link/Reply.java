package io.duramen.jms.link;

/** Called on the link's thread, exactly once; must not block. */
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
}
