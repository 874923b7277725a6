package io.duramen.jms.message;

import jakarta.jms.JMSException;
import java.nio.ByteBuffer;

/** One thread at a time. The body of a received message that did not come with it, as it is fetched part by part. */
public interface BodyParts {
    /** Bytes of the whole body. */
    long length();

    /**
     * The bytes of the next part, for the caller to keep; null behind the last.
     *
     * @throws JMSException where the node cannot be asked, or gives it no more because the message was settled
     */
    ByteBuffer next() throws JMSException;

    /** The same body from its first part on. */
    BodyParts fresh();
}
