package io.duramen.replication.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A file in memory whose writes can be made to fail. Used by one thread at a time. */
final class FaultyFile implements SmallFile {
    private ByteBuffer content;
    private boolean failing;
    private int writes;

    void fail() {
        failing = true;
    }

    void mend() {
        failing = false;
    }

    int writes() {
        return writes;
    }

    /** Flips a bit of what stands in it. */
    void damage(int position) {
        content.put(position, (byte) (content.get(position) ^ 1));
    }

    @Override
    public Optional<ByteBuffer> read() {
        return Optional.ofNullable(content).map(ByteBuffer::duplicate);
    }

    @Override
    public void replace(ByteBuffer newContent) throws IOException {
        if (failing) {
            throw new IOException("the disk failed");
        }
        writes++;
        content = ByteBuffer.allocate(newContent.remaining())
                .put(newContent.duplicate())
                .flip();
    }

    @Override
    public String toString() {
        return "faulty";
    }
}
