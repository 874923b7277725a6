package io.duramen.jms.message;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * What each BytesMessage of this provider can do beyond the API: bodies that need not fit into memory, on their way to
 * the node and from it. The body of a received message is fetched as it is read, and may be read until the message is
 * acknowledged (with automatic acknowledgement: until the next receive call, or until the listener returns).
 */
public interface StreamedBytesMessage extends BytesMessage {
    /**
     * The body is what this stream gives, read when the message is sent, by the sending thread, and not closed. It can be
     * sent once. What was written before is dropped.
     *
     * @throws jakarta.jms.MessageNotWriteableException where the message is read-only
     */
    void setInputStream(InputStream in) throws JMSException;

    /**
     * The body from where it is read on; an exception of the API comes as an IOException's cause. Reading the stream moves
     * the message.
     *
     * @throws jakarta.jms.MessageNotReadableException while the message is written
     */
    InputStream getInputStream() throws JMSException;

    /**
     * Writes the body, from where it is read on, to a stream.
     *
     * @return bytes written
     * @throws IOException of the stream
     */
    long saveTo(OutputStream out) throws JMSException, IOException;
}
