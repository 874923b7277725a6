package io.duramen.jms.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TurnTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 50_000;

    private final Turn turn = new Turn();
    private long confined; // not volatile: the turn has to hand it over
    private boolean inside;

    @Test
    void shouldLetItsHolderTakeItAgainAndGiveItOnlyOnce() {
        assertTrue(turn.take());
        assertFalse(turn.take());
        assertFalse(turn.tryTake());
        turn.run(() -> assertFalse(turn.take()));
        assertFalse(turn.tryTake(), "an inner run gave away what the outer one holds");
        turn.give();
        assertTrue(turn.tryTake());
    }

    @Test
    void shouldBeGivenBackByWhatThrows() {
        assertThrows(
                IllegalStateException.class,
                () -> turn.run(() -> {
                    throw new IllegalStateException();
                }));
        assertTrue(turn.tryTake());
    }

    @Test
    void shouldHandWhatIsConfinedFromOneThreadToTheNext() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            CyclicBarrier start = new CyclicBarrier(THREADS);
            List<Future<Long>> done = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                boolean patient = i % 2 == 0;
                done.add(threads.submit(() -> {
                    start.await();
                    return patient ? takeAll() : tryAll();
                }));
            }
            long taken = 0;
            for (Future<Long> each : done) {
                taken += each.get(60, TimeUnit.SECONDS);
            }
            assertTrue(turn.tryTake());
            assertEquals(taken, confined);
            assertTrue(taken >= THREADS / 2 * (long) ROUNDS);
        } finally {
            threads.shutdownNow();
        }
    }

    private long takeAll() {
        for (int i = 0; i < ROUNDS; i++) {
            turn.run(this::count);
        }
        return ROUNDS;
    }

    private long tryAll() {
        long taken = 0;
        for (int i = 0; i < ROUNDS; i++) {
            if (turn.tryTake()) {
                count();
                taken++;
                turn.give();
            }
        }
        return taken;
    }

    private void count() {
        assertFalse(inside, "two threads have the turn");
        inside = true;
        confined++;
        inside = false;
    }
}
