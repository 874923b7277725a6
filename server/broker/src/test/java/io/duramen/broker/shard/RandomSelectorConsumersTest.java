package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static io.duramen.protocol.frame.Attach.SubscriptionKind.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.Records;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestConsumer.Delivery;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.frame.Settle.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * Random consumers with random selectors on one queue, over windows and indexes too small for it: each is handed only what
 * it wants, nobody what another holds, and in the end everything was accepted once. A message is its color and a number.
 */
class RandomSelectorConsumersTest {
    private static final int SEEDS = 100;

    /** Many more than it takes. */
    private static final int ROUNDS_MAX = 10_000;

    private static final List<String> COLORS = List.of("red", "blue", "green", "grey", "pink");

    private record Choice(String selector, Predicate<String> wants) {}

    private static final class Run {
        final Random random;
        final TestShard shard;
        final TestClient client;
        final List<TestConsumer> consumers = new ArrayList<>();
        final Map<TestConsumer, TreeMap<Long, Delivery>> held = new HashMap<>();
        final TreeSet<Long> accepted = new TreeSet<>();
        final Map<TestConsumer, Choice> choices = new HashMap<>();
        final List<String> all = new ArrayList<>();
        int published;

        /** Whether messages have delays, priorities and groups. */
        final boolean special;

        Run(long seed) {
            special = seed % 2 == 1;
            random = new Random(seed);
            shard = aShard().with("window", String.valueOf(16 + random.nextInt(3)))
                    .with("index-messages", String.valueOf(random.nextInt(40)))
                    .with("timers-max", String.valueOf(16 + random.nextInt(16)))
                    .with("groups-max", String.valueOf(16 + random.nextInt(8)))
                    .started();
            client = shard.aClient().knowsQueue("q");
        }

        void step() {
            if (special && random.nextInt(5) == 0) {
                shard.passes(Duration.ofMillis(random.nextInt(500)));
            }
            switch (random.nextInt(8)) {
                case 0, 1 -> publish();
                case 2 -> attach(choose());
                case 3 -> leave();
                case 4 -> any(consumer -> consumer.withCredit(random.nextInt(8)));
                default -> any(this::settle);
            }
        }

        void publish() {
            String[] texts = new String[1 + random.nextInt(12)];
            for (int i = 0; i < texts.length; i++) {
                texts[i] = COLORS.get(random.nextInt(COLORS.size())) + published++;
            }
            all.addAll(List.of(texts));
            Batches batch = Batches.of(texts).each(RandomSelectorConsumersTest::colored);
            if (special) {
                batch.deliveredAt(random.nextInt(3) == 0 ? shard.nowMillis() + random.nextInt(2_000) : 0)
                        .withPriority(random.nextInt(4) == 0 ? random.nextInt(10) : 4)
                        .inGroup(random.nextInt(3) == 0 ? 1 + random.nextInt(random.nextBoolean() ? 3 : 40) : 0);
            }
            client.publishes("q", Acks.ALL, batch).isSuccess();
        }

        Choice choose() {
            String color = COLORS.get(random.nextInt(COLORS.size()));
            return switch (random.nextInt(6)) {
                case 0 -> new Choice("", text -> true);
                case 1 ->
                    new Choice(
                            "color <> '" + color + "'", text -> !colorOf(text).equals(color));
                case 2 ->
                    new Choice(
                            "color IN ('" + color + "', 'pink')",
                            text -> colorOf(text).equals(color) || colorOf(text).equals("pink"));
                case 3 ->
                    new Choice(
                            "number > 9 AND color = '" + color + "'",
                            text -> colorOf(text).equals(color) && numberOf(text) > 9);
                default ->
                    new Choice("color = '" + color + "'", text -> colorOf(text).equals(color));
            };
        }

        TestConsumer attach(Choice choice) {
            TestConsumer consumer = client.consumer("q", QUEUE, "").selecting(choice.selector);
            consumer.telling(delivery -> {
                assertThat(choice.wants.test(delivery.text()))
                        .as("'%s' takes %s", choice.selector, delivery)
                        .isTrue();
                assertThat(accepted).doesNotContain(delivery.offset());
                held.values().forEach(others -> assertThat(others).doesNotContainKey(delivery.offset()));
                held.get(consumer).put(delivery.offset(), delivery);
            });
            held.put(consumer, new TreeMap<>());
            choices.put(consumer, choice);
            consumers.add(consumer);
            consumer.attaches().isSuccess();
            return consumer.withCredit(random.nextInt(6));
        }

        void leave() {
            any(consumer -> {
                consumers.remove(consumer);
                held.remove(consumer);
                consumer.detaches().isSuccess();
            });
        }

        void any(java.util.function.Consumer<TestConsumer> action) {
            if (!consumers.isEmpty()) {
                action.accept(consumers.get(random.nextInt(consumers.size())));
            }
        }

        void settle(TestConsumer consumer) {
            TreeMap<Long, Delivery> mine = held.get(consumer);
            if (mine.isEmpty()) {
                return;
            }
            Outcome outcome = Outcome.values()[random.nextInt(3)];
            List<Long> offsets = new ArrayList<>(mine.keySet());
            long last = offsets.get(random.nextInt(offsets.size()));
            List<OffsetRange> ranges = new ArrayList<>();
            new TreeSet<>(mine.headMap(last, true).keySet()).forEach(offset -> {
                ranges.add(OffsetRange.of(offset));
                mine.remove(offset);
                if (outcome == Outcome.ACCEPTED) {
                    accepted.add(offset);
                }
            });
            consumer.settles(outcome, true, ranges).isSuccess();
        }

        /** With credit and time for all, nobody lacks what it wants. */
        void rest() {
            shard.passes(Duration.ofSeconds(10));
            int rounds = 0;
            do {
                assertThat(++rounds).as("rounds").isLessThan(ROUNDS_MAX);
                for (TestConsumer consumer : List.copyOf(consumers)) {
                    consumer.withCredit(1_000);
                    TreeMap<Long, Delivery> mine = held.get(consumer);
                    List<Long> settled = List.copyOf(mine.keySet());
                    accepted.addAll(settled);
                    consumer.settles(
                                    Outcome.ACCEPTED,
                                    true,
                                    settled.stream().map(OffsetRange::of).toList())
                            .isSuccess();
                    mine.keySet().removeAll(settled);
                }
            } while (held.values().stream().anyMatch(mine -> !mine.isEmpty()));
            for (long offset = 0; offset < all.size(); offset++) {
                String text = all.get((int) offset);
                if (!accepted.contains(offset)) {
                    consumers.forEach(
                            consumer -> assertThat(choices.get(consumer).wants.test(text))
                                    .as("'%s' lacks %s", choices.get(consumer).selector, text)
                                    .isFalse());
                }
            }
        }

        /** First those that want something in particular, then one that takes the rest. */
        void drain() {
            while (!consumers.isEmpty()) {
                leave();
            }
            shard.passes(Duration.ofSeconds(10));
            for (int i = 0; i < 6; i++) {
                drain(choose());
            }
            drain(new Choice("", text -> true));
        }

        void drain(Choice choice) {
            TestConsumer consumer = attach(choice).withCredit(100_000);
            List<Delivery> got = new ArrayList<>(held.get(consumer).values());
            if (!special) {
                assertThat(consumer.deliveries())
                        .as(choice.selector)
                        .isSortedAccordingTo(Comparator.comparingLong(Delivery::offset));
            }
            got.forEach(delivery -> accepted.add(delivery.offset()));
            consumer.settles(
                            Outcome.ACCEPTED,
                            true,
                            got.stream()
                                    .map(one -> OffsetRange.of(one.offset()))
                                    .toList())
                    .isSuccess();
            held.remove(consumer);
            consumers.remove(consumer);
            consumer.detaches().isSuccess();
        }
    }

    private static String colorOf(String text) {
        return text.replaceAll("[0-9]", "");
    }

    private static int numberOf(String text) {
        return Integer.parseInt(text.replaceAll("[^0-9]", ""));
    }

    private static Records colored(String text) {
        return Records.aRecord().with("color", colorOf(text)).with("number", numberOf(text));
    }

    @Test
    void shouldHandEverythingToThoseWhoWantItWhenConsumersComeAndGo() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Run run = new Run(seed);
            try {
                for (int i = 0; i < 150; i++) {
                    run.step();
                }
                run.rest();
                run.drain();
                assertThat(run.accepted).hasSize(run.published);
                assertThat(run.shard.image().cursors().get(0).settledBelow()).isEqualTo(run.published);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }
}
