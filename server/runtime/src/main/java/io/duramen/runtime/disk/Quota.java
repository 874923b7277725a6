package io.duramen.runtime.disk;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that the files of a directory may take together. Thread-safe. */
final class Quota {
    private final long limit;
    private final AtomicLong used;

    Quota(long limit, long used) {
        this.limit = limit;
        this.used = new AtomicLong(used);
    }

    void take(long bytes) throws NoSpaceException {
        if (used.addAndGet(bytes) > limit) {
            used.addAndGet(-bytes);
            throw new NoSpaceException(bytes + " bytes do not fit into the quota of " + limit, null);
        }
    }

    void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }

    long left() {
        return Math.max(0, limit - used.get());
    }
}
