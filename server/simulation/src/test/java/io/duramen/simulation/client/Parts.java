package io.duramen.simulation.client;

import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Commit.ShardPart;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.message.TestMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a transaction does in each shard. Confined to the simulation. */
final class Parts {
    private final TreeMap<Integer, TreeMap<Integer, List<TestMessage>>> messages = new TreeMap<>();
    private final TreeMap<Integer, List<Commit.ConsumerSettlement>> settlements = new TreeMap<>();

    void send(PartitionRef to, TestMessage message) {
        messages.computeIfAbsent(to.shard(), shard -> new TreeMap<>())
                .computeIfAbsent(to.partition(), partition -> new ArrayList<>())
                .add(message);
    }

    void settle(int shard, Commit.ConsumerSettlement settlement) {
        settlements.computeIfAbsent(shard, none -> new ArrayList<>()).add(settlement);
    }

    /** One of those that are concerned, to decide. */
    int coordinator(SeededRandom random) {
        return random.pick(List.copyOf(shards()));
    }

    private TreeSet<Integer> shards() {
        TreeSet<Integer> shards = new TreeSet<>(messages.keySet());
        shards.addAll(settlements.keySet());
        return shards;
    }

    ShardPart of(int shard) {
        List<Commit.PartitionBatch> batches = new ArrayList<>();
        messages.getOrDefault(shard, new TreeMap<>())
                .forEach((partition, of) ->
                        batches.add(new Commit.PartitionBatch(partition, TestMessage.batch(0, 0, of))));
        return new ShardPart(shard, batches, settlements.getOrDefault(shard, List.of()));
    }

    List<ShardPart> others(int coordinator) {
        return shards().stream()
                .filter(shard -> shard != coordinator)
                .map(this::of)
                .toList();
    }
}
