package io.duramen.runtime.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;

/** A sync of one file's data; carried out by the writing thread. */
final class SyncTask extends DiskTask<Void> {
    final FileChannel channel;

    SyncTask(FileChannel channel, IoCompletion<Void> done) {
        super(done);
        this.channel = channel;
    }

    @Override
    Void carryOut() throws IOException {
        channel.force(false);
        return null;
    }
}
