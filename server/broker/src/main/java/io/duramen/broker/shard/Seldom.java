package io.duramen.broker.shard;

import io.duramen.runtime.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Bounds what is logged of the same thing: once in a while, with how often it happened since. Used by one thread. */
final class Seldom {
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int KEYS_MAX = 1000;

    private static final class Told {
        long nanos;
        long since;
    }

    private final Clock clock;
    private final Map<String, Told> told = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Told> eldest) {
            return size() > KEYS_MAX;
        }
    };

    Seldom(Clock clock) {
        this.clock = clock;
    }

    /**
     * It happened.
     *
     * @return how often since it was told last, this included; 0 where it is not to be told now
     */
    long happened(String what, long times) {
        Told one = told.get(what);
        if (one == null) {
            one = new Told();
            one.nanos = clock.nanos();
            told.put(what, one);
            return times;
        }
        one.since += times;
        if (clock.nanos() - one.nanos < PAUSE_NANOS) {
            return 0;
        }
        long since = one.since;
        one.since = 0;
        one.nanos = clock.nanos();
        return since;
    }

    /** It is over: when it happens again that is told at once. */
    void over(String what) {
        told.remove(what);
    }
}
