package io.duramen.metadata.snapshot;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;

/** Puts values into a buffer that grows. Not thread-safe. Throws ArithmeticException where it would exceed 2 GiB. */
final class ImageWriter {
    private ByteBuffer bytes;

    ImageWriter(int capacityBytes) {
        bytes = ByteBuffer.allocate(capacityBytes);
    }

    ImageWriter i32(int value) {
        ensure(Integer.BYTES);
        bytes.putInt(value);
        return this;
    }

    ImageWriter i64(long value) {
        ensure(Long.BYTES);
        bytes.putLong(value);
        return this;
    }

    ImageWriter flag(boolean value) {
        ensure(1);
        bytes.put((byte) (value ? 1 : 0));
        return this;
    }

    ImageWriter text(String value) {
        if (value.isEmpty()) {
            return i32(0);
        }
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        i32(utf8.length);
        ensure(utf8.length);
        bytes.put(utf8);
        return this;
    }

    /** @param value left empty */
    ImageWriter bytes(ByteBuffer value) {
        i32(value.remaining());
        ensure(value.remaining());
        bytes.put(value);
        return this;
    }

    <T> void rows(List<T> rows, BiConsumer<T, ImageWriter> writer) {
        i32(rows.size());
        for (T row : rows) {
            writer.accept(row, this);
        }
    }

    ByteBuffer toBuffer() {
        return bytes.flip();
    }

    private void ensure(int more) {
        if (bytes.remaining() < more) {
            int needed = Math.addExact(bytes.position(), more);
            long doubled = Math.min(2L * bytes.capacity(), Integer.MAX_VALUE - 8);
            bytes = ByteBuffer.allocate((int) Math.max(needed, doubled)).put(bytes.flip());
        }
    }
}
