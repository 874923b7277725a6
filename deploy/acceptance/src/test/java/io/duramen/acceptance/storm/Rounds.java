package io.duramen.acceptance.storm;

import java.time.Duration;
import java.util.function.IntPredicate;

/** How long a storm goes on. Used by one thread. */
final class Rounds {
    private final String words;
    private final IntPredicate goesOn;

    private Rounds(String words, IntPredicate goesOn) {
        this.words = words;
        this.goesOn = goesOn;
    }

    static Rounds times(int count) {
        return new Rounds(count + " rounds", done -> done < count);
    }

    /** From now on; what is under way then comes to its end. */
    static Rounds during(Duration time) {
        long beganNanos = System.nanoTime();
        return new Rounds(time.toMinutes() + " minutes", done -> System.nanoTime() - beganNanos < time.toNanos());
    }

    /** Whether there is another after so many. */
    boolean goOnAfter(int done) {
        return goesOn.test(done);
    }

    @Override
    public String toString() {
        return words;
    }
}
