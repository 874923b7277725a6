package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Works as the agent of some logs until something holds. */
final class Waiting {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private Waiting() {}

    static void until(List<Replica> replicas, String what, BooleanSupplier holds) {
        long giveUpNanos = System.nanoTime() + PATIENCE_NANOS;
        while (!holds.getAsBoolean()) {
            int done = 0;
            for (Replica replica : replicas) {
                done += replica.log.poll();
            }
            if (done == 0) {
                LockSupport.parkNanos(100_000);
                assertThat(System.nanoTime())
                        .as(() -> "in time: " + what + "; as it stands: " + replicas + stacks())
                        .isLessThan(giveUpNanos);
            }
        }
    }

    /** Of all threads: where one waits for another, that shows. */
    private static String stacks() {
        StringBuilder all = new StringBuilder();
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            all.append("\n\n").append(thread.getName()).append(", ").append(thread.getState());
            for (StackTraceElement element : stack) {
                all.append("\n    at ").append(element);
            }
        });
        return all.toString();
    }
}
