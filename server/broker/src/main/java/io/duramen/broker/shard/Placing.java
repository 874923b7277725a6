package io.duramen.broker.shard;

import io.duramen.broker.BrokerConfig;
import io.duramen.broker.destination.Placement;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.DestinationKind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Which shards new destinations are placed in: by the settings, by what each shard carries, and by what is on its way there. Confined to the agent. */
final class Placing {
    private final Placement placement;
    private final Definitions definitions;
    private final Predicate<String> everywhere;
    private final List<String> dedicated;
    private final ShardState state;
    private final int shards;

    /** Partitions that were decided and are not in the catalogue yet, by shard. */
    private final int[] coming;

    Placing(DestinationDecisions.Places places, BrokerConfig config, ShardState state) {
        this.placement = places.placement();
        this.definitions = places.definitions();
        this.everywhere = config.everywhere();
        this.dedicated = config.dedicated();
        this.shards = places.here().shards();
        this.state = state;
        this.coming = new int[shards];
    }

    /**
     * With as many partitions as the settings say.
     *
     * @param replicas on how many nodes the shards are to be; 0 for what the settings say
     * @throws ProtocolException as {@link Placement#place}
     */
    List<Integer> usual(String name, DestinationKind kind, int replicas) {
        boolean wantedEverywhere = shards > 1 && kind == DestinationKind.QUEUE && everywhere.test(name);
        return wantedEverywhere
                ? everywhere()
                : place(name, kind.isTemporary() ? 1 : placement.partitions(name), replicas);
    }

    /** As {@link #usual}, with so many partitions. */
    List<Integer> place(String name, int partitions, int replicas) {
        int[] load = state.catalogue.load();
        for (int shard = 0; shard < shards; shard++) {
            load[shard] += coming[shard];
        }
        return placement.place(
                new Placement.Wanted(name, partitions, replicas),
                definitions.shards(load),
                state.catalogue.names(),
                dedicated());
    }

    /** One partition in each shard. */
    List<Integer> everywhere() {
        return IntStream.range(0, shards).boxed().toList();
    }

    /** Shards that one destination has to itself. */
    private Set<Integer> dedicated() {
        Set<Integer> own = new HashSet<>();
        for (String name : dedicated) {
            state.catalogue
                    .find(name)
                    .ifPresent(destination -> destination.places().forEach(place -> own.add(place.shard())));
        }
        return own;
    }

    /** A destination is on its way there, until what this returns is told that it has come, or never will. */
    Appender.Waiter comes(String name, List<Integer> places) {
        if (everywhere.test(name)) {
            return Appender.NOBODY;
        }
        places.forEach(place -> coming[place]++);
        return new Appender.Waiter() {
            @Override
            public void reached() {
                places.forEach(place -> coming[place]--);
            }

            @Override
            public void failed(ProtocolException reason) {
                reached();
            }
        };
    }
}
