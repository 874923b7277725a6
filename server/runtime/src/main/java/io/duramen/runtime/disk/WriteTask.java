package io.duramen.runtime.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A write; carried out by the writing thread, or by an agent that lends itself. A sync right behind it wakes the agent for both. */
final class WriteTask extends DiskTask<Void> {
    private final FileChannel channel;
    private final long position;
    private final ByteBuffer[] from;
    private final long bytes;

    WriteTask(FileChannel channel, long position, ByteBuffer[] from, IoCompletion<Void> done) {
        super(done);
        this.channel = channel;
        this.position = position;
        this.from = from;
        long sum = 0;
        for (ByteBuffer buffer : from) {
            sum += buffer.remaining();
        }
        this.bytes = sum;
    }

    long bytes() {
        return bytes;
    }

    @Override
    Void carryOut() throws IOException {
        ChannelBytes.write(channel, position, from);
        return null;
    }

    @Override
    boolean completesWith(DiskTask<?> next) {
        return next instanceof SyncTask && ((SyncTask) next).channel == channel;
    }
}
