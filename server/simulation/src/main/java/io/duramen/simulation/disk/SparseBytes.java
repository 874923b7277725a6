package io.duramen.simulation.disk;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bytes of a file, zero where never written. Not thread-safe. Pages that are all zero take no memory. */
final class SparseBytes {
    private static final int PAGE_LENGTH = 2048;

    private byte[][] pages = new byte[0][];
    private long length;

    long length() {
        return length;
    }

    /** Cuts, or extends by zeros. */
    void setLength(long newLength) {
        int needed = (int) ((newLength + PAGE_LENGTH - 1) / PAGE_LENGTH);
        if (newLength < length) {
            int within = (int) (newLength % PAGE_LENGTH);
            if (within != 0 && pages[needed - 1] != null) {
                Arrays.fill(pages[needed - 1], within, PAGE_LENGTH, (byte) 0);
            }
        }
        if (needed != pages.length) {
            pages = Arrays.copyOf(pages, needed);
        }
        length = newLength;
    }

    void write(long position, byte[] from, int at, int count) {
        if (position + count > length) {
            setLength(position + count);
        }
        int done = 0;
        while (done < count) {
            int page = (int) ((position + done) / PAGE_LENGTH);
            int within = (int) ((position + done) % PAGE_LENGTH);
            int step = Math.min(count - done, PAGE_LENGTH - within);
            if (pages[page] == null) {
                pages[page] = new byte[PAGE_LENGTH];
            }
            System.arraycopy(from, at + done, pages[page], within, step);
            done += step;
        }
    }

    int read(long position, ByteBuffer into) {
        int count = (int) Math.max(0, Math.min(into.remaining(), length - position));
        int done = 0;
        while (done < count) {
            int page = (int) ((position + done) / PAGE_LENGTH);
            int within = (int) ((position + done) % PAGE_LENGTH);
            int step = Math.min(count - done, PAGE_LENGTH - within);
            if (pages[page] == null) {
                into.put(new byte[step]);
            } else {
                into.put(pages[page], within, step);
            }
            done += step;
        }
        return count;
    }

    void flipBit(long position, int bit) {
        byte[] one = {(byte) 0};
        read(position, ByteBuffer.wrap(one));
        one[0] ^= (byte) (1 << bit);
        write(position, one, 0, 1);
    }

    SparseBytes copy() {
        SparseBytes copy = new SparseBytes();
        copy.length = length;
        copy.pages = new byte[pages.length][];
        for (int i = 0; i < pages.length; i++) {
            copy.pages[i] = pages[i] == null ? null : pages[i].clone();
        }
        return copy;
    }
}
