package io.duramen.runtime.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;

/**
 * A directory of files. Confined to its agent: methods are called, and completions run, on the agent's thread. Methods
 * that take a completion return at once; the completion runs inside a later {@link #poll}. The others block and are for
 * start-up.
 *
 * <p>Names are plain file names. A write is visible to reads once submitted-and-completed, and durable only once a later
 * {@link DiskFile#sync} has completed. A file's existence and name are durable once the operation that made them has
 * completed.
 */
public interface Disk extends AutoCloseable {
    /** Names of all files, sorted. */
    List<String> list() throws IOException;

    /**
     * Opens an existing file for reading and writing; short enough to be used at any time. A file that is open already is
     * the same file, which one close closes.
     */
    DiskFile open(String name) throws IOException;

    /**
     * Makes a file of {@code length} zero bytes, really allocated, and syncs it and the directory: appends into it need
     * no further space and no metadata update.
     */
    void allocate(String name, long length, IoCompletion<DiskFile> done);

    /** Puts a whole small file in place atomically: the old or the new content is found after a crash, never a mix. */
    void replace(String name, ByteBuffer content, IoCompletion<Void> done);

    /**
     * As {@link #replace(String, ByteBuffer, IoCompletion)}, of content that takes a while to make.
     *
     * @param content called once, maybe on another thread; fails by a RuntimeException
     */
    default void replace(String name, Supplier<ByteBuffer> content, IoCompletion<Void> done) {
        replace(name, content.get(), done);
    }

    /** Closes the file if this disk has it open, and removes it. */
    void delete(String name, IoCompletion<Void> done);

    /**
     * Gives a file another name, which no file has, and closes it if this disk has it open. Durable once completed; until
     * then either name is found after a crash, never both or none.
     */
    void rename(String from, String to, IoCompletion<Void> done);

    /**
     * Writes over a file's first bytes, syncs them, gives the file another name, which no file has, and opens it. Under the
     * new name it is never found without what was written; a crash may leave any part of that under the old one. The rest
     * of the file is as it was.
     */
    void reuse(String from, String to, ByteBuffer head, IoCompletion<DiskFile> done);

    /** Bytes that could still be allocated. */
    long usableBytes() throws IOException;

    /**
     * Runs the completions that are due: those of a file's writes and syncs in the order submitted, and those of its reads
     * likewise; never from within another method of the disk.
     */
    int poll();

    /** Sets what is called, from any thread, when a completion becomes due. */
    void onDue(Runnable wake);

    /** Waits until what was submitted is due, blocking; for shutting down. A disk without a time of its own does nothing. */
    default void awaitDue() {}

    /** Waits for what was submitted, without running completions, and closes all files. */
    @Override
    void close();
}
