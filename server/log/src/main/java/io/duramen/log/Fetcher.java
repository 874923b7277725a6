package io.duramen.log;

import io.duramen.runtime.disk.DiskFile;
import io.duramen.runtime.disk.IoCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;

/** Carries fetches out: finds the segment, loads its index, reads, checks. Confined to the agent. */
final class Fetcher {
    /** A stretch may be a little longer than what is wanted. */
    private static final int SLACK = 64 * 1024;

    private final SegmentTable segments;
    private final SegmentLoader loader;
    private final TailCache cache;
    private final FetchMemory memory;
    private final Consumer<Fetch> done;
    private final Consumer<Segment> left;
    private final Damages damages;
    private long bytesRead;

    /**
     * @param done called when a fetch has succeeded or failed
     * @param told when a fetch no longer reads a segment, or finds it damaged
     */
    Fetcher(
            SegmentTable segments,
            SegmentLoader loader,
            TailCache cache,
            int chunk,
            Consumer<Fetch> done,
            PartitionReads.Told told) {
        this.segments = segments;
        this.loader = loader;
        this.cache = cache;
        this.memory = new FetchMemory(chunk + SLACK);
        this.done = done;
        this.left = told.left();
        this.damages = told.damages();
    }

    /** Bytes asked of the disk so far. */
    long bytesRead() {
        return bytesRead;
    }

    void start(Fetch fetch) {
        Segment segment = segments.find(fetch.partition, fetch.from);
        if (segment == null) {
            fail(fetch, "is not in the log");
            return;
        }
        segment.readerCame();
        if (segment.isIndexLoaded()) {
            read(fetch, segment);
        } else {
            loader.load(segment, failure -> {
                if (failure.isPresent()) {
                    finish(segment);
                    damaged(
                            segment,
                            0,
                            "its index cannot be read: " + failure.get().getMessage());
                    fail(fetch, "cannot be read: " + failure.get().getMessage());
                } else {
                    read(fetch, segment);
                }
            });
        }
    }

    private void read(Fetch fetch, Segment segment) {
        List<Fetch.Stretch> stretches =
                FetchPlan.stretches(segment.run(fetch.partition), fetch.from, fetch.wanted, segment.end());
        int bytes = stretches.stream().mapToInt(Fetch.Stretch::length).sum();
        try {
            DiskFile file = loader.file(segment);
            new Reading(fetch, segment, stretches, memory.take(bytes)).start(file);
        } catch (IOException e) {
            finish(segment);
            fail(fetch, "cannot be read: " + e.getMessage());
        }
    }

    /** Which entries these are, the stretch of a partition does not tell. */
    private void damaged(Segment segment, long position, String what) {
        damages.found(segment, new Damage(segment.name(), position, segment.baseIndex(), what));
    }

    private void finish(Segment segment) {
        segment.readerWent();
        left.accept(segment);
    }

    private void fail(Fetch fetch, String how) {
        fetch.fail(new DamagedLogException("Offset " + fetch.from + " of partition " + fetch.partition + " " + how));
        done.accept(fetch);
    }

    /** The reads of one fetch. */
    private final class Reading implements IoCompletion<Integer> {
        private final Fetch fetch;
        private final Segment segment;
        private final List<Fetch.Stretch> stretches;
        private final ByteBuffer buffer;
        private final long limitOffset;
        private int missing;
        private IOException failure;

        Reading(Fetch fetch, Segment segment, List<Fetch.Stretch> stretches, ByteBuffer buffer) {
            this.fetch = fetch;
            this.segment = segment;
            this.stretches = stretches;
            this.buffer = buffer;
            // What is still cached is served from there, and may not be committed.
            this.limitOffset = cache.firstOffset(fetch.partition);
            this.missing = stretches.size();
        }

        void start(DiskFile file) {
            if (stretches.isEmpty()) {
                end();
            }
            int at = 0;
            for (Fetch.Stretch stretch : stretches) {
                file.read(stretch.position(), buffer.slice(at, stretch.length()), this);
                at += stretch.length();
            }
            bytesRead += at;
        }

        @Override
        public void succeeded(Integer read) {
            missing--;
            endIfLast();
        }

        @Override
        public void failed(IOException cause) {
            failure = cause;
            missing--;
            endIfLast();
        }

        private void endIfLast() {
            if (missing == 0) {
                end();
            }
        }

        private void end() {
            finish(segment);
            if (failure != null) {
                damaged(segment, stretches.get(0).position(), "it cannot be read: " + failure.getMessage());
                fail(fetch, "cannot be read from " + segment.name() + ": " + failure.getMessage());
            } else {
                parse();
            }
            memory.giveBack(buffer);
        }

        private void parse() {
            StretchParser parser = new StretchParser(fetch, limitOffset);
            Fetch.Stretch stretch = null;
            try {
                int at = 0;
                boolean more = true;
                for (int i = 0; i < stretches.size() && more; i++) {
                    stretch = stretches.get(i);
                    more = parser.parse(stretch, buffer.slice(at, stretch.length()));
                    at += stretch.length();
                }
            } catch (DamagedLogException e) {
                damaged(segment, stretch.position(), "what was read from there on is not intact, at " + e.getMessage());
                if (parser.bytes() == 0) {
                    fail(
                            fetch,
                            "cannot be read: " + segment.name() + " is damaged at " + e.getMessage()
                                    + ". Put an intact copy of this file in its place (a backup, another replica)");
                    return;
                }
                // What is intact before the damage is served; who reads on meets it.
            }
            List<PartitionChunk.StoredBatch> found = parser.copies();
            // The first batch may lie behind the offset where what the index points to was changed.
            if (found.isEmpty() || found.get(0).baseOffset() > fetch.from) {
                damaged(
                        segment,
                        0,
                        "offset " + fetch.from + " of partition " + fetch.partition + " is not where it is due");
                fail(fetch, "is not in " + segment.name() + ", where it is due");
            } else {
                fetch.succeed(found, parser.bytes());
                done.accept(fetch);
            }
        }
    }
}
