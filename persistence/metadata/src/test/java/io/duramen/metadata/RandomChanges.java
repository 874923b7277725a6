package io.duramen.metadata;

import io.duramen.metadata.ShardChanges.BodyKey;
import io.duramen.metadata.ShardChanges.FactKey;
import io.duramen.metadata.ShardChanges.HomePins;
import io.duramen.metadata.ShardChanges.ProducerKey;
import io.duramen.metadata.ShardChanges.Removed;
import io.duramen.metadata.ShardImage.BranchRow;
import io.duramen.metadata.ShardImage.CountRow;
import io.duramen.metadata.ShardImage.CursorRow;
import io.duramen.metadata.ShardImage.DedupRow;
import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.metadata.ShardImage.FactRow;
import io.duramen.metadata.ShardImage.GapRow;
import io.duramen.metadata.ShardImage.OpenBodyRow;
import io.duramen.metadata.ShardImage.PartitionRow;
import io.duramen.metadata.ShardImage.PinRow;
import io.duramen.metadata.ShardImage.ProducerRow;
import io.duramen.metadata.ShardImage.RunRow;
import io.duramen.metadata.ShardImage.SubscriptionRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Changes as a shard might make them, from a seed. */
public final class RandomChanges {
    private final Random random;

    private RandomChanges(long seed) {
        random = new Random(seed);
    }

    public static RandomChanges of(long seed) {
        return new RandomChanges(seed);
    }

    boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    /** Changes that go on from the rows given. */
    public ShardChanges next(ShardRows rows) {
        ShardImage now = rows.toImage();
        List<DestinationRow> kept = some(now.destinations());
        List<String> removed = now.destinations().stream()
                .map(DestinationRow::name)
                .filter(name -> kept.stream().noneMatch(row -> row.name().equals(name)))
                .toList();
        List<SubscriptionRow> staying = now.subscriptions().stream()
                .filter(row -> !removed.contains(row.destination()) && !oneIn(10))
                .toList();
        List<Integer> gone = now.subscriptions().stream()
                .filter(row -> !staying.contains(row))
                .map(SubscriptionRow::subscription)
                .toList();
        List<DestinationRow> made = new ArrayList<>();
        List<SubscriptionRow> subscribed = new ArrayList<>();
        int nextPartition = now.nextPartition();
        int nextSubscription = now.nextSubscription();
        for (int i = random.nextInt(6); i > 0; i--) {
            String name = oneIn(2) && i <= removed.size() ? removed.get(i - 1) : "made." + nextPartition;
            made.add(new DestinationRow(
                    name,
                    0,
                    random.nextLong(),
                    List.of(PartitionRow.empty(nextPartition++, random.nextInt(8)), ends(nextPartition++))));
            subscribed.add(new SubscriptionRow(nextSubscription++, name, "", "sub", 3, "a = 1", oneIn(2)));
        }
        List<DestinationRow> all = new ArrayList<>(kept);
        all.addAll(made);
        List<SubscriptionRow> listening = new ArrayList<>(staying);
        listening.addAll(subscribed);
        ShardHead head = new ShardHead(
                now.shard(),
                now.appliedIndex() + 1 + random.nextInt(9),
                now.appliedEpoch(),
                now.nextLogOffset() + 10,
                now.logTimeMillis() + 1,
                nextPartition,
                nextSubscription);
        return new ShardChanges(
                head,
                Math.max(0, now.appliedIndex() - random.nextInt(2)),
                false,
                removed(now, removed, gone),
                List.copyOf(made),
                moved(all),
                subscribed,
                cursors(all, listening),
                producers(),
                bodies(),
                pins(),
                branches(nextPartition),
                facts(),
                windows(all),
                List.of());
    }

    private List<DedupRow> windows(List<DestinationRow> destinations) {
        List<DedupRow> windows = new ArrayList<>();
        for (DestinationRow destination : destinations) {
            if (!destination.partitions().isEmpty() && oneIn(3)) {
                byte[] tail = new byte[DedupBlock.ID_LENGTH * random.nextInt(3)];
                random.nextBytes(tail);
                int partition = destination.partitions().get(0).partition();
                windows.add(new DedupRow(
                        partition, random.nextInt(9), random.nextInt(99), random.nextLong(), ByteBuffer.wrap(tail)));
            }
        }
        return windows;
    }

    private Removed removed(ShardImage now, List<String> destinations, List<Integer> subscriptions) {
        return new Removed(
                destinations,
                subscriptions,
                forgotten(now),
                now.openBodies().stream()
                        .filter(row -> oneIn(2))
                        .map(BodyKey::of)
                        .toList(),
                now.branches().stream()
                        .map(BranchRow::branch)
                        .filter(branch -> oneIn(2))
                        .toList(),
                now.facts().stream().filter(row -> oneIn(4)).map(FactKey::of).toList());
    }

    private List<BranchRow> branches(int number) {
        List<BranchRow> branches = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            byte[] content = new byte[random.nextInt(5)];
            random.nextBytes(content);
            branches.add(new BranchRow(i + ":" + number + ":", random.nextLong(), ByteBuffer.wrap(content)));
        }
        return branches;
    }

    private List<FactRow> facts() {
        List<FactRow> facts = new ArrayList<>();
        for (int kind = 1 + random.nextInt(3); kind < 4; kind++) {
            byte[] content = new byte[random.nextInt(9)];
            random.nextBytes(content);
            facts.add(new FactRow(kind, "fact " + random.nextInt(3), ByteBuffer.wrap(content)));
        }
        return facts;
    }

    private List<OpenBodyRow> bodies() {
        List<OpenBodyRow> bodies = new ArrayList<>();
        for (long low = random.nextInt(4); low > 0; low--) {
            List<RunRow> runs = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                runs.add(new RunRow(random.nextLong(), random.nextInt()));
            }
            bodies.add(new OpenBodyRow(random.nextInt(3) - 1, low, 1, random.nextLong(), List.copyOf(runs)));
        }
        return bodies;
    }

    private List<HomePins> pins() {
        List<HomePins> homes = new ArrayList<>();
        for (int home = 1 + random.nextInt(3); home < 4; home++) {
            List<PinRow> pins = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                pins.add(new PinRow(home, random.nextLong(), random.nextInt(), random.nextLong(), random.nextLong()));
            }
            homes.add(new HomePins(home, List.copyOf(pins)));
        }
        return homes;
    }

    private List<DestinationRow> some(List<DestinationRow> rows) {
        return rows.stream().filter(row -> !oneIn(10)).toList();
    }

    private List<PartitionRow> moved(List<DestinationRow> destinations) {
        return destinations.stream()
                .flatMap(row -> row.partitions().stream())
                .filter(row -> oneIn(2))
                .map(row -> ends(row.partition()))
                .toList();
    }

    private PartitionRow ends(int partition) {
        return new PartitionRow(
                partition,
                0,
                random.nextLong(),
                random.nextInt(9),
                random.nextInt(9),
                random.nextInt(9),
                0,
                random.nextInt(9));
    }

    private List<CursorRow> cursors(List<DestinationRow> destinations, List<SubscriptionRow> subscriptions) {
        List<CursorRow> cursors = new ArrayList<>();
        for (SubscriptionRow subscription : subscriptions) {
            destinations.stream()
                    .filter(row -> row.name().equals(subscription.destination()))
                    .flatMap(row -> row.partitions().stream())
                    .filter(row -> !oneIn(3))
                    .forEach(row -> cursors.add(cursor(subscription.subscription(), row.partition())));
        }
        return cursors;
    }

    private CursorRow cursor(int subscription, int partition) {
        byte[] beyond = new byte[oneIn(2) ? 0 : oneIn(5) ? 20_000 : random.nextInt(40)];
        random.nextBytes(beyond);
        List<CountRow> counts = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            counts.add(new CountRow(random.nextLong(), random.nextInt(), random.nextLong(), random.nextBoolean()));
        }
        return new CursorRow(subscription, partition, random.nextLong(), ByteBuffer.wrap(beyond), List.copyOf(counts));
    }

    private List<ProducerRow> producers() {
        Map<ProducerKey, ProducerRow> rows = new LinkedHashMap<>();
        for (int i = random.nextInt(10); i > 0; i--) {
            List<GapRow> gaps = oneIn(2) ? List.of() : List.of(new GapRow(1, 2), new GapRow(4, random.nextLong()));
            ProducerRow row = new ProducerRow(
                    random.nextInt(8), random.nextInt(3), 1, 2, random.nextLong(), random.nextLong(), 5, gaps);
            rows.put(ProducerKey.of(row), row);
        }
        return List.copyOf(rows.values());
    }

    private List<ProducerKey> forgotten(ShardImage now) {
        return now.producers().stream()
                .filter(row -> oneIn(5))
                .map(ProducerKey::of)
                .toList();
    }
}
