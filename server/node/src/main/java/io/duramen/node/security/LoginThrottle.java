package io.duramen.node.security;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Slows down who guesses passwords. Thread-safe. After a failed login the attempts from that address are let through one
 * by one, at a distance that doubles with each failure up to a limit; a minute without failure clears the record.
 */
public final class LoginThrottle {
    private static final long FIRST_DISTANCE_NANOS = 250_000_000L;
    private static final int DOUBLINGS_MAX = 5;
    private static final long FORGET_AFTER_NANOS = 60_000_000_000L;
    private static final int ADDRESSES_MAX = 10_000;

    private final Map<String, Record> records = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Record> eldest) {
            return size() > ADDRESSES_MAX;
        }
    };

    /**
     * Takes the next turn of an address, unless that is too far away: then nothing has happened.
     *
     * @param mostNanos longest wait that the attempt can bear
     * @return nanoseconds that it has to wait before it is looked at; more than the most where it is not to be
     */
    public synchronized long takeTurn(String address, long nowNanos, long mostNanos) {
        Record record = records.get(address);
        if (record == null) {
            return 0;
        }
        if (nowNanos - record.lastFailureNanos > FORGET_AFTER_NANOS && nowNanos - record.nextTurnNanos > 0) {
            records.remove(address);
            return 0;
        }
        long turn = Math.max(0, record.nextTurnNanos - nowNanos) + nowNanos;
        if (turn - nowNanos <= mostNanos) {
            record.nextTurnNanos = turn + record.distanceNanos();
        }
        return turn - nowNanos;
    }

    public synchronized void failed(String address, long nowNanos) {
        Record record = records.computeIfAbsent(address, key -> new Record(nowNanos));
        record.failures++;
        record.lastFailureNanos = nowNanos;
        record.nextTurnNanos = Math.max(0, record.nextTurnNanos - nowNanos - record.distanceNanos())
                + nowNanos
                + record.distanceNanos();
    }

    private static final class Record {
        private int failures;
        private long lastFailureNanos;
        private long nextTurnNanos;

        Record(long nowNanos) {
            nextTurnNanos = nowNanos;
        }

        long distanceNanos() {
            return failures == 0 ? 0 : FIRST_DISTANCE_NANOS << Math.min(failures - 1, DOUBLINGS_MAX);
        }
    }
}
