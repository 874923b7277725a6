package io.duramen.log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Serves reads of what has left the tail cache: fetches it, keeps what was fetched until it is taken, and reads ahead of
 * those who go on where they stopped. All fetches together are bounded. Confined to the agent.
 */
final class PartitionReads {
    /** Fetched at least, unless less stands in one piece. */
    private static final int WANTED_MIN = 64 * 1024;

    /**
     * What was fetched is not given up for so many polls after its readers were told: who was told takes it within that
     * time, if at all. Otherwise readers that do not all find room would push one another out for ever.
     */
    private static final int POLLS_TO_TAKE = 4;

    private final Fetcher fetcher;
    private final int chunk;
    private final long heapBytesMax;
    private final Map<Integer, List<Fetch>> byPartition = new HashMap<>();
    private final Map<Integer, Long> lastTakenTo = new HashMap<>();
    private final LinkedHashSet<Fetch> waitingToBeTaken = new LinkedHashSet<>();
    private final ArrayDeque<Fetch> waitingToStart = new ArrayDeque<>();
    private final ArrayDeque<Fetch> finished = new ArrayDeque<>();
    private final TailCache cache;
    private final SegmentTable segments;
    private long heapBytes;
    private long polls;

    /**
     * Who hears of what becomes of segments.
     *
     * @param left called when one is no longer read
     */
    record Told(Consumer<Segment> left, Damages damages) {}

    PartitionReads(SegmentTable segments, SegmentLoader loader, TailCache cache, LogConfig config, Told told) {
        this.segments = segments;
        this.cache = cache;
        this.chunk = config.readChunk().toIntExact();
        this.heapBytesMax = config.readCacheSize().count();
        this.fetcher = new Fetcher(segments, loader, cache, chunk, this::finished, told);
    }

    long bytesRead() {
        return fetcher.bytesRead();
    }

    Optional<PartitionChunk> read(int partition, long offset, int maxBytes, Runnable ready) {
        for (Fetch fetch : byPartition.getOrDefault(partition, List.of())) {
            if (fetch.holds(offset)) {
                return Optional.of(take(fetch, offset, maxBytes));
            }
            if (fetch.from == offset) {
                if (fetch.failure() != null) {
                    remove(fetch);
                    throw fetch.failure();
                }
                if (!fetch.isDone()) {
                    fetch.await(ready);
                    return Optional.empty();
                }
            }
        }
        boolean sequential = lastTakenTo.getOrDefault(partition, -1L) == offset;
        Fetch fetch = new Fetch(partition, offset, wanted(maxBytes, sequential), sequential);
        fetch.await(ready);
        enqueue(fetch);
        return Optional.empty();
    }

    private int wanted(int maxBytes, boolean sequential) {
        return sequential ? chunk : Math.min(chunk, Math.max(maxBytes, WANTED_MIN));
    }

    private PartitionChunk take(Fetch fetch, long offset, int maxBytes) {
        PartitionChunk taken = fetch.take(offset, maxBytes);
        if (fetch.touch() && fetch.sequential) {
            readAhead(fetch);
        }
        lastTakenTo.put(fetch.partition, taken.nextOffset());
        if (fetch.isExhausted()) {
            remove(fetch);
        }
        return taken;
    }

    private void readAhead(Fetch before) {
        long next = before.nextOffset();
        if (next < cache.firstOffset(before.partition)
                && heapBytes + chunk <= heapBytesMax
                && byPartition.get(before.partition).stream().noneMatch(fetch -> fetch.from == next)
                && segments.find(before.partition, next) != null) {
            enqueue(new Fetch(before.partition, next, chunk, true));
        }
    }

    private void enqueue(Fetch fetch) {
        byPartition.computeIfAbsent(fetch.partition, p -> new ArrayList<>()).add(fetch);
        waitingToStart.add(fetch);
        startWaiting();
    }

    private void startWaiting() {
        while (!waitingToStart.isEmpty()) {
            Fetch next = waitingToStart.peek();
            makeRoom(next.heapBytes());
            if (heapBytes > 0 && heapBytes + next.heapBytes() > heapBytesMax) {
                return;
            }
            waitingToStart.poll();
            heapBytes += next.heapBytes();
            fetcher.start(next);
        }
    }

    private void makeRoom(long bytes) {
        if (heapBytes + bytes <= heapBytesMax) {
            return;
        }
        for (Fetch fetch : List.copyOf(waitingToBeTaken)) {
            if (fetch.wasAnnouncedBefore(polls - POLLS_TO_TAKE)) {
                remove(fetch);
                if (heapBytes + bytes <= heapBytesMax) {
                    return;
                }
            }
        }
    }

    private void remove(Fetch fetch) {
        List<Fetch> fetches = byPartition.get(fetch.partition);
        fetches.remove(fetch);
        if (fetches.isEmpty()) {
            byPartition.remove(fetch.partition);
        }
        waitingToBeTaken.remove(fetch);
        heapBytes -= fetch.heapBytes();
    }

    private void finished(Fetch fetch) {
        heapBytes += fetch.heapBytes() - fetch.wanted;
        waitingToBeTaken.add(fetch);
        finished.add(fetch);
    }

    /** Tells readers what has been fetched for them. */
    int poll() {
        int done = 0;
        for (Fetch fetch = finished.poll(); fetch != null; fetch = finished.poll()) {
            fetch.announce(polls);
            done++;
        }
        polls++;
        startWaiting();
        // What was fetched gets old by polls; somebody waits for its room.
        return waitingToStart.isEmpty() || waitingToBeTaken.isEmpty() ? done : done + 1;
    }
}
