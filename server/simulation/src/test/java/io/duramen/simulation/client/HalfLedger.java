package io.duramen.simulation.client;

import java.util.Optional;
import java.util.TreeMap;

/** The application's database: what became of the work that its half messages tell of. Confined to the simulation. */
public final class HalfLedger {
    private final TreeMap<Long, Boolean> done = new TreeMap<>();

    void write(long sender, boolean isDone) {
        done.put(sender, isDone);
    }

    /** Whether the work was done; empty where nobody knows yet, or ever will. */
    Optional<Boolean> find(long sender) {
        return Optional.ofNullable(done.get(sender));
    }
}
