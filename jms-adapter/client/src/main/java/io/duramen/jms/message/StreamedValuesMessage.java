package io.duramen.jms.message;

import jakarta.jms.JMSException;
import jakarta.jms.StreamMessage;
import java.util.Iterator;

/**
 * What each StreamMessage of this provider can do beyond the API: more values than fit into memory. Those of a received
 * message whose body is large are fetched as they are read, byte arrays piece by piece by {@code readBytes}; that is
 * possible until the message is acknowledged (see {@link StreamedBytesMessage}).
 */
public interface StreamedValuesMessage extends StreamMessage {
    /**
     * The body is these values, taken when the message is sent, by the sending thread. It can be sent once. What was
     * written before is dropped.
     *
     * @param values primitives' objects, Strings, byte[] or null; another makes the send fail with a
     *     MessageFormatException
     * @throws jakarta.jms.MessageNotWriteableException where the message is read-only
     */
    void setValues(Iterator<?> values) throws JMSException;
}
