package io.duramen.node;

import java.io.InputStream;
import java.io.OutputStream;

/** So many bytes that follow from their place; as a stream, and compared with one. */
final class PatternStream extends InputStream {
    private final long length;
    private long place;

    PatternStream(long length) {
        this.length = length;
    }

    static byte at(long place) {
        return (byte) (place * 31 + (place >>> 13));
    }

    static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = at(i);
        }
        return bytes;
    }

    @Override
    public int read() {
        return place == length ? -1 : at(place++) & 0xFF;
    }

    @Override
    public int read(byte[] into, int from, int most) {
        if (place == length) {
            return -1;
        }
        int count = (int) Math.min(most, length - place);
        for (int i = 0; i < count; i++) {
            into[from + i] = at(place++);
        }
        return count;
    }

    /** Takes the bytes that a stream of that pattern gives, and no others. */
    static final class Check extends OutputStream {
        private long place;

        @Override
        public void write(int value) {
            if ((byte) value != at(place)) {
                throw new AssertionError("byte " + place + " is " + (byte) value + ", not " + at(place));
            }
            place++;
        }

        @Override
        public void write(byte[] bytes, int from, int count) {
            for (int i = 0; i < count; i++) {
                write(bytes[from + i]);
            }
        }

        long count() {
            return place;
        }
    }
}
