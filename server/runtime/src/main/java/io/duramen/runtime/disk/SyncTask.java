package io.duramen.runtime.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;

/** A sync of one file's data; carried out by the writing thread, or by an agent that lends itself. */
class SyncTask extends DiskTask<Void> {
    final FileChannel channel;
    private long bytes;

    SyncTask(FileChannel channel, IoCompletion<Void> done) {
        super(done);
        this.channel = channel;
    }

    /** Bytes that were written since the sync before it, before it is submitted. */
    final void covers(long writtenBytes) {
        bytes = writtenBytes;
    }

    final long bytes() {
        return bytes;
    }

    @Override
    Void carryOut() throws IOException {
        channel.force(false);
        return null;
    }
}
