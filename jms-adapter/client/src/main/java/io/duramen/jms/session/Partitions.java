package io.duramen.jms.session;

import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.ResolveDestination;
import io.duramen.protocol.record.DedupKey;
import java.util.List;

/**
 * The partitions of a destination, and which of them takes a message, so that order holds however many are added. Immutable.
 *
 * <p>What has a key (a group, a dedup id, a producer with a name) is spread over the partitions that the destination was made
 * with, and never moves. Who sends without any keeps to what its connection found first, whatever it finds after a
 * reconnect; the next connection uses all.
 *
 * @param all in the order of their index; at least one
 * @param keyed how many of them, from the first on, take what has a key
 * @param known how many of them, from the first on, the connection found first
 */
record Partitions(List<PartitionRef> all, int keyed, int known) {
    static Partitions of(ResolveDestination.Response answer) {
        int size = answer.partitions().size();
        return new Partitions(answer.partitions(), Math.max(1, Math.min(answer.keyed(), size)), size);
    }

    /** Whether these are earlier ones, and further ones behind them: no other destination of the same name. */
    boolean goesOn(Partitions before) {
        return all.size() >= before.all.size()
                && all.subList(0, before.all.size()).equals(before.all);
    }

    /** The same for a connection that found others first; they {@link #goesOn go on}. */
    Partitions since(Partitions first) {
        return new Partitions(all, keyed, first.all.size());
    }

    /** Where messages of a group go. */
    PartitionRef ofGroup(String group) {
        return hashed(group.hashCode(), keyed);
    }

    /** Where a message without a group goes that has an id: its repeats come to the same, whoever sends them. */
    PartitionRef ofKey(DedupKey key) {
        return hashed(Long.hashCode(key.low()), keyed);
    }

    /**
     * Where the other messages of a producer go.
     *
     * @param named whether it has a name, under which it goes on after the application has ended
     */
    PartitionRef ofProducer(long producerId, boolean named) {
        return hashed(Long.hashCode(producerId), named ? keyed : known);
    }

    private PartitionRef hashed(int hash, int over) {
        return all.get(Math.floorMod(hash, over));
    }
}
