package io.duramen.jms.message;

import jakarta.jms.JMSException;
import java.nio.ByteBuffer;

/** One thread at a time. A body that is too long for its record, as it is read to be sent in parts. */
public interface BodyContent {
    /**
     * Fills the buffer from its position on, as far as the body goes.
     *
     * @throws JMSException where it cannot be read
     */
    void read(ByteBuffer into) throws JMSException;

    /** Whether it can be read more than once. */
    boolean isRereadable();

    /** Back to the first byte, where it {@link #isRereadable}. */
    void rewind();
}
