package io.duramen.broker.transaction;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * The identities of transactional producers, as Kafka's transactional ids (KIP-98): by name, the producer id and the epoch of
 * the incarnation that may commit. Confined to the shard's agent.
 */
public final class ProducerIdentities implements Facts<ProducerIdentity> {
    /** Told of each identity that changes. */
    @FunctionalInterface
    public interface Changed {
        /** @param fact null where it is no more */
        void fact(int kind, String key, Record fact);
    }

    private static final int KIND = 1;

    private final int max;
    private final long idleMillis;
    private final Changed changed;

    // Hard: rebuilt by replay.
    private final Map<String, ProducerIdentity> byName = new HashMap<>();
    private final Map<Long, ProducerIdentity> byProducer = new HashMap<>();
    private final TreeSet<ProducerIdentity> byUse =
            new TreeSet<>(Comparator.comparingLong(ProducerIdentity::usedMillis).thenComparing(ProducerIdentity::name));

    // Soft: taken over by an entry that is appended, not yet committed.
    private final Map<String, ProducerIdentity> takenByName = new HashMap<>();
    private final Map<Long, ProducerIdentity> takenByProducer = new HashMap<>();

    /** @param idleMillis how long one is remembered that nobody uses */
    public ProducerIdentities(int max, long idleMillis, Changed changed) {
        this.max = max;
        this.idleMillis = idleMillis;
        this.changed = changed;
    }

    @Override
    public int kind() {
        return KIND;
    }

    @Override
    public Class<ProducerIdentity> type() {
        return ProducerIdentity.class;
    }

    @Override
    public ProducerIdentity get(String name) {
        return byName.get(name);
    }

    /** The identity as it will be once all that is appended is committed; null for none. */
    public ProducerIdentity latest(String name) {
        ProducerIdentity taken = takenByName.get(name);
        return taken != null ? taken : byName.get(name);
    }

    /** As {@link #latest(String)}, by its producer id. */
    public ProducerIdentity latest(long producerId) {
        ProducerIdentity taken = takenByProducer.get(producerId);
        return taken != null ? taken : byProducer.get(producerId);
    }

    /** Sequence of the last transaction of the producer that has committed; 0 for none. */
    public long lastCommitted(long producerId) {
        ProducerIdentity identity = byProducer.get(producerId);
        return identity == null ? 0 : identity.lastSequence();
    }

    /** Whether one more must not be made. */
    public boolean isFull(long nowMillis) {
        return byName.size() + takenByName.size() >= max
                && (byUse.isEmpty() || byUse.first().usedMillis() >= nowMillis - idleMillis);
    }

    /** Decided: it will be {@link #taken}. */
    public void taking(ProducerIdentity identity) {
        takenByName.put(identity.name(), identity);
        takenByProducer.put(identity.producerId(), identity);
    }

    /** Replays that an incarnation took over, or made it. */
    public void taken(ProducerIdentity identity) {
        ProducerIdentity appended = takenByName.get(identity.name());
        if (appended != null && appended.epoch() == identity.epoch()) {
            takenByName.remove(identity.name());
            takenByProducer.remove(identity.producerId());
        }
        ProducerIdentity before = byName.get(identity.name());
        put(before == null || before.producerId() != identity.producerId() ? identity : before.takenBy(identity));
        forget(identity.usedMillis());
    }

    /** Replays a commit of any producer. */
    public void committed(long producerId, long sequence, String label, long millis) {
        ProducerIdentity identity = byProducer.get(producerId);
        if (identity != null) {
            put(identity.committed(sequence, label, millis));
        }
        forget(millis);
    }

    private void put(ProducerIdentity identity) {
        remove(byName.get(identity.name()));
        add(identity);
        changed.fact(KIND, identity.name(), identity);
    }

    private void add(ProducerIdentity identity) {
        byName.put(identity.name(), identity);
        byProducer.put(identity.producerId(), identity);
        byUse.add(identity);
    }

    private void remove(ProducerIdentity identity) {
        if (identity != null) {
            byName.remove(identity.name());
            byProducer.remove(identity.producerId());
            byUse.remove(identity);
        }
    }

    private void forget(long nowMillis) {
        while (!byUse.isEmpty() && byUse.first().usedMillis() < nowMillis - idleMillis) {
            ProducerIdentity idle = byUse.first();
            remove(idle);
            changed.fact(KIND, idle.name(), null);
        }
    }

    @Override
    public void forEach(BiConsumer<String, ProducerIdentity> action) {
        byName.forEach(action);
    }

    @Override
    public void load(ProducerIdentity identity) {
        add(identity);
    }
}
