package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.broker.subscription.Cursor;
import io.duramen.broker.subscription.Offsets;
import io.duramen.metadata.ShardImage.CursorRow;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Attach.HeldDeliveries;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.frame.Settle;
import io.duramen.protocol.frame.Settle.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Consumers of one queue do whatever they may, at random; every delivery and answer must be the model's. */
class RandomConsumersTest {
    private static final int LEASES_MAX = 6;
    private static final int RUNS = 25;
    private static final int STEPS = 120;

    private TestShard shard;
    private ModelSubscription model;
    private Random random;
    private TestClient publisher;
    private final List<Member> members = new ArrayList<>();
    private final TreeSet<Long> lost = new TreeSet<>();

    private record Member(int id, TestClient client, TestConsumer consumer) {}

    private int lastMember;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void shouldAgreeWithTheModelWhateverConsumersDo(int group) {
        for (int run = 0; run < RUNS; run++) {
            int seed = group * RUNS + run;
            start(seed);
            int step = 0;
            try {
                for (; step < STEPS; step++) {
                    act();
                    model.assertNothingIsStuck(shard.nowMillis());
                }
                finish();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ", step " + step + ": " + e.getMessage(), e);
            }
        }
    }

    private void start(int seed) {
        random = new Random(seed);
        model = new ModelSubscription(LEASES_MAX);
        shard = aShard().with("deliveries-max", "0")
                .with("redelivery-delay", "0s")
                .with("leases-max", Integer.toString(LEASES_MAX))
                .with("deliver-size", "1KiB")
                .started();
        publisher = shard.aClient().knowsQueue("orders");
        members.clear();
        lost.clear();
    }

    private void act() {
        int command = random.nextInt(20);
        if (command < 5) {
            publish();
        } else if (command < 7 || members.isEmpty()) {
            attach();
        } else if (command < 11) {
            grant();
        } else if (command < 15) {
            settle();
        } else if (command < 16) {
            detach();
        } else if (command < 18) {
            disconnect();
        } else if (command < 19) {
            shard.passes(Duration.ofMillis(random.nextInt(40)));
        } else if (random.nextInt(3) == 0) {
            restart();
        }
    }

    private void publish() {
        long expires = random.nextInt(4) == 0 ? shard.nowMillis() + random.nextInt(100) : 0;
        String[] texts = new String[1 + random.nextInt(5)];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = "m" + model.messages();
            model.published(expires);
        }
        publisher
                .publishes("orders", Acks.ALL, Batches.of(texts).expiringAt(expires))
                .isSuccess();
    }

    private Member member() {
        return members.get(random.nextInt(members.size()));
    }

    private void attach() {
        TestClient client = shard.aClient().knowsQueue("orders");
        TestConsumer consumer = client.consumer("orders", SubscriptionKind.QUEUE, "");
        Member member = new Member(++lastMember, client, consumer);
        consumer.telling(
                delivery -> model.delivered(member.id, delivery.offset(), delivery.count(), shard.nowMillis()));
        model.attached(member.id);
        Offsets claimed = new Offsets();
        Offsets expectedLost = new Offsets();
        if (random.nextBoolean()) {
            lost.removeIf(offset -> model.mayBeDropped(offset, shard.nowMillis()));
            lost.stream().limit(LEASES_MAX).forEach(offset -> {
                claimed.add(offset);
                if (!model.reclaims(member.id, offset)) {
                    expectedLost.add(offset);
                }
            });
            lost.clear();
        }
        int partition = client.partitionOf("orders");
        Answer answer = consumer.attaches(new HeldDeliveries(partition, claimed.toRanges()));
        List<HeldDeliveries> expected =
                expectedLost.isEmpty() ? List.of() : List.of(new HeldDeliveries(partition, expectedLost.toRanges()));
        assertThat(answer.response(Attach.Response.class).lost()).isEqualTo(expected);
        members.add(member);
    }

    private void grant() {
        Member member = member();
        int credit = random.nextInt(5);
        model.granted(member.id, credit);
        if (random.nextInt(4) > 0) {
            member.consumer.withCredit(credit);
            return;
        }
        int before = member.consumer.drainsDone();
        member.consumer.drains(credit);
        assertThat(member.consumer.drainsDone()).isEqualTo(before + 1);
        model.assertNothingIsStuck(shard.nowMillis());
        model.drained(member.id);
    }

    private void settle() {
        Member member = member();
        Outcome outcome = Outcome.values()[random.nextInt(3)];
        TreeSet<Long> offsets = new TreeSet<>(model.heldBy(member.id));
        offsets.removeIf(offset -> random.nextInt(3) == 0);
        if (random.nextInt(4) == 0) {
            offsets.add((long) random.nextInt(model.messages() + 2));
        }
        offsets.removeIf(offset -> model.mayBeDropped(offset, shard.nowMillis()));
        Offsets asked = new Offsets();
        Offsets stale = new Offsets();
        for (long offset : offsets) {
            asked.add(offset);
            if (!model.settles(member.id, offset, outcome)) {
                stale.add(offset);
            }
        }
        Answer answer = member.consumer.settles(outcome, random.nextBoolean(), asked.toRanges());
        assertThat(answer.response(Settle.Response.class).stale()).isEqualTo(stale.toRanges());
    }

    private long seenBy(Member member) {
        long seen = random.nextInt((int) model.deliveredTo(member.id) + 1);
        member.consumer.hasSeen(seen);
        return seen;
    }

    private void detach() {
        Member member = member();
        boolean keepsSeen = random.nextBoolean();
        model.leaves(member.id, seenBy(member), keepsSeen);
        (keepsSeen ? member.consumer.detachesKeepingSeen() : member.consumer.detaches()).isSuccess();
        member.client.closes();
        if (keepsSeen) {
            model.leaves(member.id, Long.MAX_VALUE, false);
        }
        members.remove(member);
        shard.run();
    }

    private void disconnect() {
        Member member = member();
        members.remove(member);
        boolean clean = random.nextBoolean();
        lost.addAll(model.heldBy(member.id));
        if (clean) {
            model.leaves(member.id, 0, false);
            member.client.closes();
        } else {
            model.vanishes(member.id);
            member.client.vanishes();
        }
    }

    private void restart() {
        members.forEach(member -> lost.addAll(model.heldBy(member.id)));
        members.clear();
        model.restarts();
        shard.isKilledAndRestarts();
        publisher = shard.aClient().knowsQueue("orders");
    }

    /** All that is unsettled is handed out again when its holders are gone. */
    private void finish() {
        CursorRow row = shard.image().cursors().get(0);
        model.assertAgrees(Cursor.load(row.settledBelow(), row.settledBeyond(), row.deliveryCounts()));
        while (!members.isEmpty()) {
            disconnect();
        }
        attach();
        Member last = members.get(0);
        while (model.deliveredTo(last.id) < model.messages()) {
            long before = model.deliveredTo(last.id);
            model.granted(last.id, LEASES_MAX);
            last.consumer.withCredit(LEASES_MAX);
            model.assertNothingIsStuck(shard.nowMillis());
            List<OffsetRange> held =
                    model.heldBy(last.id).stream().map(OffsetRange::of).toList();
            held.forEach(range -> model.settles(last.id, range.first(), Outcome.ACCEPTED));
            last.consumer.settles(Outcome.ACCEPTED, true, held).isSuccess();
            if (model.deliveredTo(last.id) == before) {
                return;
            }
        }
    }
}
