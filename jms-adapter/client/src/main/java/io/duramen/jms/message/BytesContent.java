package io.duramen.jms.message;

import java.nio.ByteBuffer;

/** A body that is in memory. */
final class BytesContent implements BodyContent {
    private final ByteBuffer bytes;

    /** @param bytes of which the position is moved */
    BytesContent(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    @Override
    public void read(ByteBuffer into) {
        int length = Math.min(into.remaining(), bytes.remaining());
        into.put(into.position(), bytes, bytes.position(), length).position(into.position() + length);
        bytes.position(bytes.position() + length);
    }

    @Override
    public boolean isRereadable() {
        return true;
    }

    @Override
    public void rewind() {
        bytes.rewind();
    }
}
