package io.duramen.replication.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A small file that is replaced as a whole. Used by one thread at a time. */
interface SmallFile {
    /** What stands in it; empty where it was never written. */
    Optional<ByteBuffer> read() throws IOException;

    /** Puts new content in place and syncs it, blocking: the old or the new is found after a crash, never a mix. */
    void replace(ByteBuffer content) throws IOException;
}
