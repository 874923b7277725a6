package io.duramen.replication.raft;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/** What the engine has told a replica, in its order, each kept until it could be done. Confined to the agent. */
final class TurnOfEvents implements EngineEvents.Target {
    private final ArrayDeque<BooleanSupplier> events = new ArrayDeque<>();
    private final Does does;

    /** Does something, or returns false where that has to be gone on with later. */
    interface Committed {
        boolean upTo(long index, long epoch);
    }

    /** What is done with each. */
    record Does(Committed committed, LongPredicate leads, BooleanSupplier leadsNoMore, Consumer<IOException> broke) {}

    TurnOfEvents(Does does) {
        this.does = does;
    }

    @Override
    public void committed(long index, long ofEpoch) {
        events.add(() -> does.committed.upTo(index, ofEpoch));
    }

    @Override
    public void leads(long newEpoch) {
        events.add(() -> does.leads.test(newEpoch));
    }

    @Override
    public void leadsNoMore() {
        events.add(does.leadsNoMore);
    }

    @Override
    public void broke(IOException cause) {
        does.broke.accept(cause);
    }

    /** Does what is next; returns false where there is nothing, or that has to wait. */
    boolean next() {
        if (events.isEmpty() || !events.peek().getAsBoolean()) {
            return false;
        }
        events.poll();
        return true;
    }
}
