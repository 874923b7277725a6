package io.duramen.acceptance.history;

import java.util.ArrayList;
import java.util.List;

/**
 * A number that one client raises, and whoever asks any node reads. It is linearizable where each answer fits a moment between question and
 * answer: an answer is no less than what was known to be written before it was asked for, nor than what another was told before that; and
 * no more than what was being written by then. Thread-safe: every method holds this object's lock.
 */
public final class Register {
    private final List<Write> writes = new ArrayList<>();
    private final List<Read> reads = new ArrayList<>();

    /** Who read and got an answer. */
    private record Read(long value, long beganNanos, long endedNanos) {}

    /** Raises the number; whether it did is not known before {@link #done}. */
    public final class Write {
        private final long value;
        private final long beganNanos;
        private long doneNanos = Long.MAX_VALUE;

        private Write(long value, long beganNanos) {
            this.value = value;
            this.beganNanos = beganNanos;
        }

        /** It was answered that the number has that value. */
        public void done(long nanos) {
            synchronized (Register.this) {
                doneNanos = nanos;
            }
        }
    }

    /** A client is about to write a value higher than any before. */
    public synchronized Write writing(long value, long nanos) {
        if (!writes.isEmpty() && writes.get(writes.size() - 1).value >= value) {
            throw new IllegalArgumentException(value + " is not higher than what was written before");
        }
        Write write = new Write(value, nanos);
        writes.add(write);
        return write;
    }

    public synchronized void read(long value, long beganNanos, long endedNanos) {
        reads.add(new Read(value, beganNanos, endedNanos));
    }

    /** How often it was written, and answered. */
    public synchronized long written() {
        return writes.stream().filter(write -> write.doneNanos < Long.MAX_VALUE).count();
    }

    public synchronized long answers() {
        return reads.size();
    }

    /** Each answer that fits no moment, in words. */
    public synchronized List<String> violations() {
        List<String> found = new ArrayList<>();
        for (Read read : reads) {
            long least = Math.max(knownBy(read.beganNanos), toldBy(read.beganNanos));
            long most = begunBy(read.endedNanos);
            if (read.value < least || read.value > most) {
                found.add(read + " where " + least + " to " + most + " was to be expected");
            }
        }
        return found;
    }

    private long knownBy(long nanos) {
        return writes.stream()
                .filter(write -> write.doneNanos < nanos)
                .mapToLong(write -> write.value)
                .max()
                .orElse(0);
    }

    private long toldBy(long nanos) {
        return reads.stream()
                .filter(read -> read.endedNanos < nanos)
                .mapToLong(Read::value)
                .max()
                .orElse(0);
    }

    private long begunBy(long nanos) {
        return writes.stream()
                .filter(write -> write.beganNanos < nanos)
                .mapToLong(write -> write.value)
                .max()
                .orElse(0);
    }
}
