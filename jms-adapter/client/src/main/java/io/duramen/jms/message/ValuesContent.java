package io.duramen.jms.message;

import jakarta.jms.JMSException;
import java.nio.ByteBuffer;
import java.util.Iterator;

/** The body of a stream message whose values the application gives one by one: read once. */
final class ValuesContent implements BodyContent {
    private static final int ENCODED_AT_ONCE = 64 * 1024;

    private final Iterator<?> values;
    private BatchBuffer encoding = new BatchBuffer(ENCODED_AT_ONCE, 0);
    private ByteBuffer encoded;

    ValuesContent(Iterator<?> values) throws JMSException {
        this.values = values;
        encoding.ensure(Integer.BYTES).putInt(ValueCodec.UNTIL_THE_END);
        encoded = encoding.written();
    }

    @Override
    public void read(ByteBuffer into) throws JMSException {
        while (into.hasRemaining() && (encoded.hasRemaining() || encodeMore())) {
            int length = Math.min(into.remaining(), encoded.remaining());
            into.put(encoded.slice(encoded.position(), length));
            encoded.position(encoded.position() + length);
        }
    }

    private boolean encodeMore() throws JMSException {
        encoding = encoding.length() > 2 * ENCODED_AT_ONCE ? new BatchBuffer(ENCODED_AT_ONCE, 0) : encoding;
        encoding.truncate(0);
        while (encoding.length() < ENCODED_AT_ONCE && values.hasNext()) {
            Object value = values.next();
            Conversions.checkEntry(value);
            ValueCodec.put(value, encoding);
        }
        encoded = encoding.written();
        return encoded.hasRemaining();
    }

    @Override
    public boolean isRereadable() {
        return false;
    }

    @Override
    public void rewind() {
        throw new IllegalStateException("the values are read once");
    }
}
