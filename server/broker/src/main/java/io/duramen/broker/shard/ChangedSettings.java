package io.duramen.broker.shard;

import io.duramen.broker.dedup.DedupIds;
import io.duramen.broker.destination.Catalogue;
import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.DestinationSettings;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.transaction.Facts;
import io.duramen.broker.transaction.ProducerIdentities;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** What operators have changed of destinations, by their names. Hard state; confined to the agent. */
final class ChangedSettings implements Facts<ChangedSettings.Changed> {
    private static final int KIND = 11;

    /** @param settings see {@link DestinationSettings#parse}; not empty */
    record Changed(String destination, String settings) {}

    private final Catalogue catalogue;
    private final ProducerIdentities.Changed changed;
    private final DedupIds dedup;
    private final TreeMap<String, Changed> byName = new TreeMap<>();

    /**
     * @param changed told of what is kept
     * @param dedup remembers ids as the settings are
     */
    ChangedSettings(Catalogue catalogue, ProducerIdentities.Changed changed, DedupIds dedup) {
        this.catalogue = catalogue;
        this.changed = changed;
        this.dedup = dedup;
    }

    @Override
    public int kind() {
        return KIND;
    }

    @Override
    public Class<Changed> type() {
        return Changed.class;
    }

    @Override
    public Changed get(String key) {
        return byName.get(key);
    }

    /** What was changed of a destination; empty for nothing. */
    String of(String destination) {
        Changed one = byName.get(destination);
        return one == null ? "" : one.settings;
    }

    /** Those of destinations behind this one, by their names. */
    Iterable<Changed> behind(String destination) {
        return byName.tailMap(destination, false).values();
    }

    Iterable<Changed> all() {
        return byName.values();
    }

    /** Replays a change; of a destination that was deleted meanwhile it changes nothing. */
    void set(String destination, String settings) {
        Optional<Destination> found = catalogue.find(destination);
        if (found.isPresent()) {
            keep(destination, settings);
            apply(found.get(), settings);
        }
    }

    private void keep(String destination, String settings) {
        if (settings.isEmpty()) {
            if (byName.remove(destination) != null) {
                changed.fact(KIND, destination, null);
            }
        } else {
            Changed one = new Changed(destination, settings);
            byName.put(destination, one);
            changed.fact(KIND, destination, one);
        }
    }

    private void apply(Destination destination, String settings) {
        destination.change(DestinationSettings.parse(settings));
        destination.partitions().forEach(this::follow);
    }

    /** Has a partition here go by the settings of its destination. */
    void follow(Partition partition) {
        DestinationSettings own = partition.destination().settings();
        dedup.limit(
                partition.id(),
                own.dedupSeconds(dedup.limits().windowSeconds()),
                own.dedupIdsMax(dedup.limits().idsMax()));
    }

    /** A destination is no more. */
    void forget(String destination) {
        keep(destination, "");
    }

    @Override
    public void forEach(BiConsumer<String, Changed> action) {
        byName.forEach(action);
    }

    /** Before subscriptions are there that go by it. */
    @Override
    public void load(Changed one) {
        byName.put(one.destination, one);
        catalogue.find(one.destination).ifPresent(destination -> apply(destination, one.settings));
    }
}
