package io.duramen.simulation.client;

import io.duramen.protocol.frame.InitProducer;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Those who take the name of one producer over from each other, and what each was told of the transaction that committed last
 * before it. One thread.
 */
public final class Succession {
    private final String name;
    private final long producerId;
    private final TreeMap<Integer, Long> lastByEpoch = new TreeMap<>();

    /** @param producerId not 0 */
    public Succession(String name, long producerId) {
        this.name = name;
        this.producerId = producerId;
    }

    long producerId() {
        return producerId;
    }

    InitProducer.Request request(long incarnation) {
        return new InitProducer.Request(0, name, incarnation, producerId);
    }

    void taken(InitProducer.Response told) {
        Long before = lastByEpoch.putIfAbsent(told.epoch(), told.lastSequence());
        if (told.producerId() != producerId || before != null && before != told.lastSequence()) {
            throw new AssertionError("producer " + name + ", epoch " + told.epoch() + ": told of " + told.lastSequence()
                    + " and, before, of " + before);
        }
        if (told.lastSequence() >>> 32 >= told.epoch()) {
            throw new AssertionError("epoch " + told.epoch() + " of " + name + " was told that its own "
                    + told.lastSequence() + " has committed");
        }
    }

    /**
     * The last transaction that committed while the epoch had the name, or before; as its next known successor was told: those
     * between them never learned that they had the name, and committed nothing. Empty where there is none yet.
     */
    OptionalLong lastUpTo(int epoch) {
        Map.Entry<Integer, Long> next = lastByEpoch.higherEntry(epoch);
        return next == null ? OptionalLong.empty() : OptionalLong.of(next.getValue());
    }

    @Override
    public String toString() {
        return name;
    }
}
