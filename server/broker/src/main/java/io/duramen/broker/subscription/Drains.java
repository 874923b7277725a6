package io.duramen.broker.subscription;

import java.util.LinkedHashSet;
import java.util.function.Predicate;

/** Consumers of a subscription that wait to be told that there is nothing more for them. Confined to the shard's agent. */
final class Drains {
    private final LinkedHashSet<Consumer> asking = new LinkedHashSet<>();
    private int holds;

    void ask(Consumer consumer) {
        asking.add(consumer);
    }

    /** None ends until it was called as often with false as with true. */
    void hold(boolean held) {
        holds += held ? 1 : -1;
    }

    /** Whether somebody waits, and may be told. */
    boolean areDue() {
        return holds == 0 && !asking.isEmpty();
    }

    /** Tells those for whom nothing more is there, or who take no more. */
    void end(Predicate<Consumer> mayHaveMore) {
        asking.removeIf(consumer -> {
            boolean waits = consumer.isDraining() && consumer.mayTake() && mayHaveMore.test(consumer);
            if (consumer.isDraining() && !waits) {
                consumer.drained();
            }
            return !waits;
        });
    }
}
