package io.duramen.simulation.client;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Recall;
import io.duramen.protocol.frame.Settle;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.message.TestMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A transacted session that moves tokens from one queue to the next: what it takes and what it sends commit together. A
 * commit whose answer is lost is repeated with the same number.
 */
public final class MoverPart implements ClientPart {
    private static final int TOKENS_MAX = 4;

    private final SimulatedClient client;
    private final SeededRandom random;
    private final Intake intake;
    private final String target;
    private final long producerId;
    private List<PartitionRef> targets = List.of();
    private Commit.Request pending;
    private boolean asked;
    private long sequence;
    private boolean winding;
    private boolean left;

    public MoverPart(SimulatedClient client, String source, String target) {
        this.client = client;
        this.random = client.random().split();
        this.intake = new Intake(client, new Intake.Source(source, DestinationKind.QUEUE, SubscriptionKind.QUEUE, ""));
        this.target = target;
        this.producerId = random.nextLong() | 1;
        intake.join();
    }

    @Override
    public void connected() {
        new Destinations(client).resolve(target, DestinationKind.QUEUE, found -> targets = found);
        intake.connected();
    }

    @Override
    public void lost() {
        targets = List.of();
        asked = false;
        intake.lost();
    }

    @Override
    public boolean owns(int consumerId) {
        return intake.owns(consumerId);
    }

    @Override
    public void deliver(Deliver.Push push) {
        intake.deliver(push);
    }

    @Override
    public void recall(Recall.Push push) {
        intake.recall(push);
    }

    @Override
    public void work() {
        if (!intake.isJoined() || targets.isEmpty() || left) {
            return;
        }
        if (pending != null) {
            if (!asked) {
                ask();
            }
            return;
        }
        if (winding) {
            if (!intake.held().isEmpty()) {
                rollBack();
            }
            intake.leave();
            left = true;
            return;
        }
        intake.topUp();
        while (intake.held().size() < TOKENS_MAX
                && random.oneIn(2)
                && intake.take().isPresent()) {
            // The application takes what is there.
        }
        if (!intake.held().isEmpty() && random.oneIn(2)) {
            if (random.oneIn(8)) {
                rollBack();
            } else {
                commit();
            }
        }
    }

    private void rollBack() {
        intake.settle(List.copyOf(intake.held().keySet()), Settle.Outcome.REJECTED);
    }

    private void commit() {
        sequence++;
        long transaction = transaction();
        TreeMap<Integer, List<TestMessage>> moved = new TreeMap<>();
        for (TestMessage token : intake.held().values()) {
            moved.computeIfAbsent(random.pick(targets).partition(), p -> new ArrayList<>())
                    .add(new TestMessage(token.sender(), token.number() + 1, transaction, true, random.below(50)));
        }
        List<Commit.PartitionBatch> batches = new ArrayList<>();
        moved.forEach((partition, messages) ->
                batches.add(new Commit.PartitionBatch(partition, TestMessage.batch(0, 0, messages))));
        List<Commit.ConsumerSettlement> settlements = new ArrayList<>();
        Intake.byPartition(intake.held().keySet())
                .forEach((partition, offsets) -> settlements.add(
                        new Commit.ConsumerSettlement(intake.consumerId(), partition, Intake.ranges(offsets))));
        pending = new Commit.Request(0, producerId, 0, sequence, batches, settlements);
        ask();
    }

    private long transaction() {
        return producerId * 31 + sequence;
    }

    private void ask() {
        asked = true;
        Commit.Request request = pending;
        client.ask(request, new SimulatedClient.Answer() {
            @Override
            public void answered(Record response) {
                intake.held().clear();
                pending = null;
            }

            @Override
            public void refused(ErrorCode code, String detail) {
                if (code == ErrorCode.LEASE_LOST || code == ErrorCode.RESOURCE_EXHAUSTED) {
                    pending = null;
                    client.rolledBack(transaction());
                    if (!intake.held().isEmpty()) {
                        rollBack();
                    }
                } else {
                    client.retryLater(code);
                }
            }
        });
    }

    @Override
    public void windDown() {
        winding = true;
    }

    @Override
    public boolean isIdle() {
        return left && pending == null;
    }

    @Override
    public String describe() {
        return "mover to " + target + ", " + (pending == null ? "no commit" : "commit " + sequence) + ", " + intake;
    }
}
