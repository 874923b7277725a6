package io.duramen.log;

import io.duramen.log.PartitionChunk.StoredBatch;
import java.util.ArrayList;
import java.util.List;

/** Old batches of one partition being fetched from the disk, or fetched and waiting to be taken. Confined to the agent. */
final class Fetch {
    final int partition;
    final long from;

    /** Bytes to be fetched, about. */
    final int wanted;

    /** Whether it goes on where a reader took the batches before. */
    final boolean sequential;

    private final List<Runnable> waiting = new ArrayList<>();
    private List<StoredBatch> batches = List.of();
    private int taken;
    private boolean done;
    private boolean touched;
    private DamagedLogException failure;
    private long heapBytes;
    private long announcedIn = Long.MAX_VALUE;

    Fetch(int partition, long from, int wanted, boolean sequential) {
        this.partition = partition;
        this.from = from;
        this.wanted = wanted;
        this.sequential = sequential;
        this.heapBytes = wanted;
    }

    boolean isDone() {
        return done;
    }

    DamagedLogException failure() {
        return failure;
    }

    /** Bytes of heap that it takes, or will. */
    long heapBytes() {
        return heapBytes;
    }

    void await(Runnable ready) {
        waiting.add(ready);
    }

    void succeed(List<StoredBatch> found, long bytes) {
        done = true;
        batches = found;
        heapBytes = bytes;
    }

    void fail(DamagedLogException cause) {
        done = true;
        failure = cause;
        heapBytes = 0;
    }

    /**
     * Calls all that wait; they may read at once.
     *
     * @param poll number of the poll in which this happens
     */
    void announce(long poll) {
        announcedIn = poll;
        List<Runnable> calls = List.copyOf(waiting);
        waiting.clear();
        calls.forEach(Runnable::run);
    }

    /** Whether those that waited were told in a poll before that one. */
    boolean wasAnnouncedBefore(long poll) {
        return announcedIn < poll;
    }

    /** Whether the message is among the batches fetched. */
    boolean holds(long offset) {
        return done && failure == null && find(offset) >= 0;
    }

    long nextOffset() {
        StoredBatch last = batches.get(batches.size() - 1);
        return last.baseOffset() + last.count();
    }

    /** Whether this is asked for the first time. */
    boolean touch() {
        boolean first = !touched;
        touched = true;
        return first;
    }

    boolean isExhausted() {
        return taken >= batches.size();
    }

    /** Batches from the one that holds the offset on; those up to there are then taken. */
    PartitionChunk take(long offset, int maxBytes) {
        int first = find(offset);
        int to = first + 1;
        long bytes = batches.get(first).batch().remaining();
        while (to < batches.size() && bytes + batches.get(to).batch().remaining() <= maxBytes) {
            bytes += batches.get(to).batch().remaining();
            to++;
        }
        taken = Math.max(taken, to);
        return new PartitionChunk(List.copyOf(batches.subList(first, to)));
    }

    private int find(long offset) {
        int low = 0;
        int high = batches.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (batches.get(middle).baseOffset() <= offset) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high >= 0
                        && offset
                                < batches.get(high).baseOffset()
                                        + batches.get(high).count()
                ? high
                : -1;
    }

    /** A stretch of a segment that holds records of the partition, and where the entry of its first record ends. */
    record Stretch(int position, int end, int entryEnd) {
        int length() {
            return end - position;
        }
    }
}
