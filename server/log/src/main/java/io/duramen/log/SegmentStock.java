package io.duramen.log;

import io.duramen.runtime.Clock;
import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.disk.DiskFile;
import io.duramen.runtime.disk.IoCompletion;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one segment file prepared ahead, a spare one where there is one, and knows when the disk is full. Gives none away
 * before the log's secret is on disk (see {@link SecretFile}), and puts it there first where it is not. Confined to the agent.
 */
final class SegmentStock {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentStock.class);
    private static final long RETRY_NANOS = 1_000_000_000L;

    private final Disk disk;
    private final Clock clock;
    private final long segmentSize;
    private final Spares spares;
    private int secret;
    private boolean secretInPlace;
    private long nextNumber = 1;
    private Prepared prepared;
    private boolean allocating;
    private boolean promised;
    private boolean refused;
    private long wanted;
    private long retryNanos = Long.MAX_VALUE;
    /** Steps done since the last poll; after one the next is under way, or a file is there. */
    private int stepsDone;

    /** A file without entries, waiting to become a segment. */
    record Prepared(long number, DiskFile file, long capacity) {}

    SegmentStock(Disk disk, Clock clock, long segmentSize, Spares spares) {
        this.disk = disk;
        this.clock = clock;
        this.segmentSize = segmentSize;
        this.spares = spares;
        this.wanted = segmentSize;
    }

    /**
     * @param number no file has this or a higher one, but for {@code found}
     * @param found an empty file that was left prepared; null for none
     * @param logSecret of the log that the files are for
     * @param inPlace whether it is on disk
     */
    void start(long number, Prepared found, int logSecret, boolean inPlace) {
        nextNumber = number;
        prepared = found;
        secret = logSecret;
        secretInPlace = inPlace;
        prepare();
    }

    /**
     * The prepared file where there is one that takes so many bytes; otherwise one is being prepared.
     *
     * @return null where there is none now
     */
    Prepared takeFor(long bytes) {
        if (!secretInPlace) {
            return null;
        }
        if (prepared != null && prepared.capacity() >= bytes) {
            Prepared taken = prepared;
            prepared = null;
            wanted = segmentSize;
            prepare();
            return taken;
        }
        wanted = Math.max(segmentSize, bytes);
        if (prepared != null) {
            discard(SegmentName.log(prepared.number()));
            prepared = null;
        }
        prepare();
        return null;
    }

    private void prepare() {
        prepare(false);
    }

    /** @param again even where it was refused before */
    private void prepare(boolean again) {
        if (allocating || prepared != null && secretInPlace) {
            return;
        }
        if (!secretInPlace) {
            putSecret();
        } else if (wanted == segmentSize && !spares.isEmpty()) {
            reuse(spares.take());
        } else if (!refused || again) {
            allocate();
        }
    }

    private void putSecret() {
        allocating = true;
        promised = !spares.isEmpty() || usableBytes() >= wanted;
        disk.replace(SegmentName.SECRET, SecretFile.toBytes(secret), new IoCompletion<>() {
            @Override
            public void succeeded(Void result) {
                allocating = false;
                stepsDone++;
                secretInPlace = true;
                if (prepared == null) {
                    prepare(true);
                } else {
                    prepared(prepared);
                }
            }

            @Override
            public void failed(IOException cause) {
                refuse(cause);
            }
        });
    }

    private void reuse(String spare) {
        long number = nextNumber++;
        allocating = true;
        promised = true;
        disk.reuse(spare, SegmentName.log(number), SpareHeader.toBytes(number), new IoCompletion<>() {
            @Override
            public void succeeded(DiskFile file) {
                if (lengthOf(file) == segmentSize) {
                    prepared(new Prepared(number, file, segmentSize));
                } else {
                    discard(SegmentName.log(number));
                    stepsDone++;
                    allocate();
                }
            }

            @Override
            public void failed(IOException cause) {
                LOG.warn("{} could not be made ready to be filled anew; it is deleted", spare, cause);
                discard(spare);
                discard(SegmentName.log(number));
                stepsDone++;
                allocate();
            }
        });
    }

    private static long lengthOf(DiskFile file) {
        try {
            return file.length();
        } catch (IOException e) {
            LOG.debug("The length of {} is not known", file.name(), e);
            return -1;
        }
    }

    private void prepared(Prepared file) {
        allocating = false;
        stepsDone++;
        if (refused) {
            LOG.info("There is space for segments again");
        }
        refused = false;
        retryNanos = Long.MAX_VALUE;
        prepared = file;
    }

    private void allocate() {
        long number = nextNumber++;
        long length = wanted;
        allocating = true;
        promised = usableBytes() >= length;
        disk.allocate(SegmentName.log(number), length, new IoCompletion<>() {
            @Override
            public void succeeded(DiskFile file) {
                prepared(new Prepared(number, file, length));
            }

            @Override
            public void failed(IOException cause) {
                refuse(cause);
                discard(SegmentName.log(number));
            }
        });
    }

    private void refuse(IOException cause) {
        allocating = false;
        if (!refused) {
            LOG.warn("No further segment could be prepared; trying again every second", cause);
        }
        refused = true;
        retryNanos = clock.nanos() + RETRY_NANOS;
    }

    private long usableBytes() {
        try {
            return disk.usableBytes();
        } catch (IOException e) {
            LOG.debug("Usable bytes are not known", e);
            return 0;
        }
    }

    private void discard(String name) {
        disk.delete(name, new IoCompletion<>() {
            @Override
            public void succeeded(Void result) {}

            @Override
            public void failed(IOException cause) {
                LOG.debug("An empty segment file stays until the next start", cause);
            }
        });
    }

    /** Space may have become free, or a file spare. */
    void retry() {
        if (refused && !allocating) {
            prepare(true);
        }
    }

    int poll() {
        int done = stepsDone;
        stepsDone = 0;
        if (retryNanos != Long.MAX_VALUE && clock.nanos() - retryNanos >= 0) {
            retryNanos = Long.MAX_VALUE;
            retry();
            done++;
        }
        return done;
    }

    long deadlineNanos() {
        return retryNanos;
    }

    /** Whether the last allocation failed for lack of space, or for another reason. */
    boolean isRefused() {
        return refused;
    }

    /** Whether a further segment is there or can be counted on. */
    boolean hasNext() {
        return !refused && (prepared != null || allocating && promised);
    }

    /** Whether an entry of its own size, beyond that of a segment, would find room. */
    boolean hasRoomBeyondSegment(long bytes) {
        return !refused && usableBytes() >= bytes + segmentSize;
    }
}
