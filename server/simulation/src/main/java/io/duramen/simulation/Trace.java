package io.duramen.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * What happened: a hash over all of it and the last lines as text. Not thread-safe. Lines are kept unformatted, so that a
 * line costs a few nanoseconds in the runs that pass.
 */
public final class Trace {
    private static final int LINES_KEPT = Integer.getInteger("simulation.trace-lines", 512);

    private final long[] times = new long[LINES_KEPT];
    private final String[] subjects = new String[LINES_KEPT];
    private final Object[] details = new Object[LINES_KEPT];
    private final long[] first = new long[LINES_KEPT];
    private final long[] second = new long[LINES_KEPT];
    private long count;
    private long hash = 0x6475726D656EL;

    /** @param detail a text, which counts for the hash; or an object that makes one when it is asked, and does not count */
    void add(long timeNanos, String subject, Object detail, long a, long b) {
        int at = (int) (count++ % LINES_KEPT);
        times[at] = timeNanos;
        subjects[at] = subject;
        details[at] = detail;
        first[at] = a;
        second[at] = b;
        hash = SeededRandom.mix(hash ^ timeNanos);
        hash = SeededRandom.mix(hash + subject.hashCode() * 31L + (detail instanceof String ? detail.hashCode() : 0));
        hash = SeededRandom.mix(hash + SeededRandom.mix(a) + 31 * b);
    }

    /** Equal for two runs in which the same things happened at the same times. */
    public long hash() {
        return hash;
    }

    /** Lines so far. */
    public long count() {
        return count;
    }

    /** The last lines, oldest first: virtual microseconds, who, what, two numbers. */
    public List<String> lastLines(int limit) {
        List<String> lines = new ArrayList<>();
        for (long i = Math.max(0, count - Math.min(limit, LINES_KEPT)); i < count; i++) {
            int at = (int) (i % LINES_KEPT);
            lines.add(String.format(
                    "%12d us  %-14s %s %d %d", times[at] / 1000, subjects[at], details[at], first[at], second[at]));
        }
        return lines;
    }
}
