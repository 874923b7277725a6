package io.duramen.runtime.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/** One open file of a {@link Disk}; the same confinement. Writes are carried out in the order submitted, syncs too. */
public interface DiskFile {
    String name();

    long length() throws IOException;

    /**
     * Fills the buffer from {@code position}, blocking; for start-up.
     *
     * @return bytes read; fewer than remained only at the file's end
     */
    int read(long position, ByteBuffer into) throws IOException;

    /** Fills the buffer from {@code position} in the background; the completion gets the bytes read. */
    void read(long position, ByteBuffer into, IoCompletion<Integer> done);

    /** Writes all remaining bytes of the buffers, which belong to the disk until the completion runs. */
    void write(long position, ByteBuffer[] from, IoCompletion<Void> done);

    /** Makes durable all writes of this file submitted before (fdatasync); later ones may be carried out meanwhile. */
    void sync(IoCompletion<Void> done);

    /**
     * Cuts the file to a length, or extends it by zero bytes that are really allocated, and syncs it with all that was
     * written before, blocking; for recovery.
     *
     * @throws NoSpaceException where there is no room; the file is as long as before
     */
    void truncate(long length) throws IOException;

    void close();
}
