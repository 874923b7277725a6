package io.duramen.runtime.disk;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes the end of what a file holds past the page cache (O_DIRECT), in whole blocks: what is written before it in the
 * first block is written again, what follows it in the last becomes zero. Of whoever carries the writes out, one thread at
 * a time.
 */
final class DirectTail implements AutoCloseable {
    /** So much at most at a time. */
    static final int LENGTH_MAX = 32 * 1024;

    private static final int BLOCK_MIN = 4096;
    private static final int BLOCK_MAX = 64 * 1024;

    private final FileChannel buffered;
    private final FileChannel direct;
    private final int block;
    /** Begins with the block that {@link #end} is in, unless that is unknown. */
    private final ByteBuffer memory;

    private long end = -1;

    /** @param block see {@link #blockLength} */
    DirectTail(Path file, FileChannel buffered, int block) throws IOException {
        this.buffered = buffered;
        this.block = block;
        this.direct = open(file);
        this.memory = ByteBuffer.allocateDirect(LENGTH_MAX + 3 * block).alignedSlice(block);
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT);
    }

    /** What must be whole there, found by writing a file; 0 where it cannot be done on that file system. */
    static int blockLength(Path directory) {
        Path probe = directory.resolve("direct" + DirectoryFiles.UNFINISHED_SUFFIX);
        try {
            long block = Math.max(BLOCK_MIN, Files.getFileStore(directory).getBlockSize());
            if (block > BLOCK_MAX || Long.bitCount(block) != 1) {
                return 0;
            }
            int length = (int) block;
            try {
                Files.write(probe, new byte[length]);
                try (FileChannel channel = open(probe)) {
                    ByteBuffer one = ByteBuffer.allocateDirect(2 * length).alignedSlice(length);
                    return channel.write(one.limit(length), 0) == length ? length : 0;
                }
            } finally {
                Files.deleteIfExists(probe);
            }
        } catch (IOException | UnsupportedOperationException e) {
            return 0;
        }
    }

    /** Something else has written to the file. */
    void forget() {
        end = -1;
    }

    /**
     * Writes all that remains of the buffers.
     *
     * @param length what remains of them, 1 to {@link #LENGTH_MAX}
     * @return false where the blocks would reach beyond the file's end; nothing is written then
     */
    boolean write(long position, ByteBuffer[] from, int length) throws IOException {
        long first = position & -block;
        int before = (int) (position - first);
        int whole = (before + length + block - 1) & -block;
        if (first + whole > buffered.size()) {
            return false;
        }
        if (position != end && before > 0) {
            end = -1;
            ChannelBytes.read(buffered, first, memory.clear().limit(before));
        }
        memory.clear().position(before);
        for (ByteBuffer buffer : from) {
            memory.put(buffer);
        }
        while (memory.position() < whole) {
            memory.put((byte) 0);
        }
        end = -1;
        memory.flip();
        while (memory.hasRemaining()) {
            // A part is a multiple of what the device takes at a time, or an error comes next.
            direct.write(memory, first + memory.position());
        }
        keepLastBlock(position + length);
        return true;
    }

    private void keepLastBlock(long newEnd) {
        int used = (int) (newEnd & (block - 1));
        if (used > 0 && memory.limit() > block) {
            int at = memory.limit() - block;
            memory.put(0, memory, at, used);
        }
        end = newEnd;
    }

    @Override
    public void close() throws IOException {
        direct.close();
    }
}
