package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestConsumer.Delivery;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.frame.Publish.Acks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever consumers do: of a group only one holds messages at a time, each is accepted in the order of its group, and in
 * the end all are. A message's text is "group:number".
 */
class RandomGroupsTest {
    private static final int GROUPS = 8;

    private final class Member {
        final TestConsumer consumer;
        final List<Delivery> held = new ArrayList<>();

        Member() {
            consumer = shard.aClient().knowsQueue("orders").consumes("orders");
            consumer.telling(this::arrives);
        }

        private void arrives(Delivery delivery) {
            held.add(delivery);
            int group = groupOf(delivery);
            for (Member other : members) {
                assertThat(other == this || other.held.stream().noneMatch(one -> groupOf(one) == group))
                        .as("seed %d: group %d is with one consumer", seed, group)
                        .isTrue();
            }
        }

        private void settles() {
            if (held.isEmpty()) {
                return;
            }
            Delivery first = held.remove(0);
            if (random.nextInt(6) == 0) {
                // What follows in hand goes back as well, as a session's rollback does.
                List<String> back = new ArrayList<>(List.of(first.text()));
                held.forEach(delivery -> back.add(delivery.text()));
                held.clear();
                consumer.rejects(back.toArray(String[]::new)).isSuccess();
                return;
            }
            int number = Integer.parseInt(first.text().substring(2));
            assertThat(number).as("seed %d: order of %s", seed, first.text()).isEqualTo(next[groupOf(first)]++);
            accepted++;
            consumer.accepts(first.text()).isSuccess();
        }

        private void leaves() {
            members.remove(this);
            held.clear();
            consumer.detaches().isSuccess();
        }
    }

    private int seed;
    private Random random;
    private TestShard shard;
    private final List<Member> members = new ArrayList<>();
    private final int[] next = new int[GROUPS];
    private final TreeMap<Integer, Integer> sent = new TreeMap<>();
    private int accepted;

    private static int groupOf(Delivery delivery) {
        return delivery.text().charAt(0) - '0';
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, 200, 300})
    void shouldKeepGroupsWholeWhateverConsumersDo(int first) {
        for (seed = first; seed < first + 60; seed++) {
            random = new Random(seed);
            shard = aShard().with("deliveries-max", "0")
                    .with("redelivery-delay", "0s")
                    .with("window", "" + (16 + random.nextInt(30)))
                    .with("groups-max", "16")
                    .with("group-stall", "2s")
                    .started();
            members.clear();
            sent.clear();
            accepted = 0;
            Arrays.fill(next, 0);
            run();
        }
    }

    private void run() {
        TestClient producer = shard.aClient().knowsQueue("orders");
        for (int step = 0; step < 300; step++) {
            act(producer);
        }
        while (members.size() > 1) {
            members.get(0).leaves();
        }
        Member last = members.isEmpty() ? joins() : members.get(0);
        int total = sent.values().stream().mapToInt(count -> count).sum();
        for (int i = 0; accepted < total && i < 20 * total; i++) {
            last.consumer.withCredit(5);
            last.settles();
        }
        assertThat(accepted).as("seed %d: all are accepted", seed).isEqualTo(total);
    }

    private Member joins() {
        Member member = new Member();
        members.add(member);
        return member;
    }

    private void act(TestClient producer) {
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> {
                int group = random.nextInt(GROUPS);
                List<String> texts = new ArrayList<>();
                for (int i = 1 + random.nextInt(6); i > 0; i--) {
                    texts.add(group + ":" + (sent.merge(group, 1, Integer::sum) - 1));
                }
                producer.publishes(
                        "orders",
                        Acks.ALL,
                        Batches.of(texts.toArray(String[]::new)).inGroup(1000 + group));
            }
            case 3 -> {
                if (members.size() < 4) {
                    joins();
                }
            }
            case 4 -> shard.passes(Duration.ofMillis(random.nextInt(1500)));
            default -> {
                if (!members.isEmpty()) {
                    Member member = members.get(random.nextInt(members.size()));
                    switch (random.nextInt(8)) {
                        case 0, 1 -> member.consumer.withCredit(1 + random.nextInt(4));
                        case 2 -> {
                            if (random.nextInt(5) == 0) {
                                member.leaves();
                            }
                        }
                        default -> member.settles();
                    }
                }
            }
        }
    }
}
