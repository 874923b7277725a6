package io.duramen.metadata.snapshot;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Takes values from a buffer. Not thread-safe. Every length and count is checked against the bytes that remain before
 * anything is allocated; throws {@link DamagedImageException} where they do not suffice.
 */
final class ImageReader {
    private final ByteBuffer in;

    ImageReader(ByteBuffer in) {
        this.in = in;
    }

    int i32() {
        need(Integer.BYTES);
        return in.getInt();
    }

    long i64() {
        need(Long.BYTES);
        return in.getLong();
    }

    boolean flag() {
        need(1);
        return in.get() != 0;
    }

    String text() {
        return new String(array(), StandardCharsets.UTF_8);
    }

    /** A copy: a slice would hold the whole file in memory as long as it is referenced. */
    ByteBuffer bytes() {
        return ByteBuffer.wrap(array());
    }

    /** @param minLength bytes of the shortest possible row */
    <T> List<T> rows(Function<ImageReader, T> reader, int minLength) {
        int count = i32();
        if (count < 0 || (long) count * minLength > in.remaining()) {
            throw new DamagedImageException(
                    "its " + in.remaining() + " bytes from position " + in.position() + " hold no " + count + " rows");
        }
        List<T> rows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            rows.add(reader.apply(this));
        }
        return rows;
    }

    void end() {
        if (in.hasRemaining()) {
            throw new DamagedImageException(in.remaining() + " bytes stand behind its end");
        }
    }

    private byte[] array() {
        int length = i32();
        need(length);
        byte[] copy = new byte[length];
        in.get(copy);
        return copy;
    }

    private void need(int length) {
        if (length < 0 || length > in.remaining()) {
            throw new DamagedImageException(
                    length + " bytes are due at position " + in.position() + " where " + in.remaining() + " remain");
        }
    }
}
