package io.duramen.broker.subscription;

import java.util.LinkedHashSet;
import java.util.function.Predicate;

/** Consumers of a subscription that wait to be told that there is nothing more for them. Confined to the shard's agent. */
final class Drains {
    private final LinkedHashSet<Consumer> asking = new LinkedHashSet<>();
    private boolean held;
    private boolean heldAgain;

    void ask(Consumer consumer) {
        asking.add(consumer);
    }

    /** None ends until {@link #letGo}. Returns whether somebody has to wait for it: not where somebody does already. */
    boolean hold() {
        heldAgain = held;
        held = true;
        return !heldAgain;
    }

    /** What was waited for is there. Returns whether it has to be waited for once more, for those who have asked meanwhile. */
    boolean letGo() {
        held = heldAgain;
        heldAgain = false;
        return held;
    }

    /** Whether somebody waits, and may be told. */
    boolean areDue() {
        return !held && !asking.isEmpty();
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
