package io.duramen.simulation.client;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.ForShard;
import io.duramen.protocol.frame.InitProducer;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Recall;
import io.duramen.protocol.frame.Settle;
import io.duramen.protocol.frame.TransactionOutcome;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.message.TestMessage;
import java.util.List;

/**
 * A transacted session that moves tokens from one queue to the next: what it takes and what it sends commit together. A
 * commit whose answer is lost is repeated with the same number. One that has a name shares it with rivals: they fence each
 * other, and what a fenced one was committing has happened if, and only if, its successor was told so.
 */
public final class MoverPart implements ClientPart {
    private static final int TOKENS_MAX = 4;

    private final SimulatedClient client;
    private final SeededRandom random;
    private final Intake intake;
    private final String target;
    private final long producerId;

    /** Null for a session, which has no name. */
    private final Succession succession;

    private List<PartitionRef> targets = List.of();
    private Commit.Request pending;
    private boolean asked;

    /** Whether what is pending was asked for over a connection that is gone. */
    private boolean again;

    private long sequence;
    private int epoch;
    private long incarnation;
    private boolean fenced;
    private boolean taking;
    private boolean winding;
    private boolean left;

    public MoverPart(SimulatedClient client, String source, String target) {
        this(client, source, target, null);
    }

    /** @param named whose name it takes; null for a session */
    public MoverPart(SimulatedClient client, String source, String target, Succession named) {
        this.client = client;
        this.random = client.random().split();
        this.intake = new Intake(client, new Intake.Source(source, DestinationKind.QUEUE, SubscriptionKind.QUEUE, ""));
        this.target = target;
        this.succession = named;
        this.fenced = named != null;
        this.incarnation = random.nextLong();
        this.producerId = named == null ? random.nextLong() | 1 : named.producerId();
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
        again = asked || again;
        asked = false;
        taking = false;
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
        if (fenced && (pending != null || !winding)) {
            if (!taking) {
                takeName();
            }
            return;
        }
        if (pending != null) {
            if (!asked && again && random.oneIn(3)) {
                askOutcome();
            } else if (!asked) {
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
        if (succession != null && random.oneIn(20)) {
            supersede();
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

    /** Begins as another incarnation. */
    private void supersede() {
        fenced = true;
        incarnation = random.nextLong();
    }

    private void takeName() {
        taking = true;
        client.ask(succession.request(incarnation), new SimulatedClient.Answer() {
            @Override
            public void answered(Record response) {
                InitProducer.Response taken = (InitProducer.Response) response;
                taking = false;
                succession.taken(taken);
                if (pending != null) {
                    resolve(succession.lastUpTo(epoch).orElseThrow());
                }
                fenced = false;
                epoch = taken.epoch();
                sequence = (long) epoch << 32;
            }

            @Override
            public void refused(ErrorCode code, String detail) {
                taking = false;
                if (code == ErrorCode.PRODUCER_FENCED) {
                    supersede();
                } else {
                    client.retryLater(code);
                }
            }
        });
    }

    /** @param last that committed while this was not yet fenced */
    private void resolve(long last) {
        if (last == pending.sequence()) {
            client.foundCommitted(pending);
            committed();
        } else {
            rolledBack();
        }
    }

    private void committed() {
        intake.held().clear();
        pending = null;
        again = false;
    }

    private void rolledBack() {
        pending = null;
        again = false;
        client.rolledBack(transaction());
        if (!intake.held().isEmpty()) {
            rollBack();
        }
    }

    private void rollBack() {
        intake.settle(List.copyOf(intake.held().keySet()), Settle.Outcome.REJECTED);
    }

    private void commit() {
        sequence++;
        long transaction = transaction();
        Parts parts = new Parts();
        for (TestMessage token : intake.held().values()) {
            parts.send(
                    random.pick(targets),
                    new TestMessage(token.sender(), token.number() + 1, transaction, true, random.below(50)));
        }
        Intake.byPartition(intake.held().keySet())
                .forEach((partition, offsets) -> parts.settle(
                        intake.shard(partition),
                        new Commit.ConsumerSettlement(intake.consumerId(), partition, Intake.ranges(offsets))));
        // Names are known where the catalogue is.
        int coordinator = succession == null ? parts.coordinator(random) : ForShard.CATALOGUE;
        Commit.ShardPart own = parts.of(coordinator);
        pending = new Commit.Request(
                coordinator,
                producerId,
                epoch,
                sequence,
                own.batches(),
                own.settlements(),
                "",
                parts.others(coordinator));
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
                committed();
            }

            @Override
            public void refused(ErrorCode code, String detail) {
                if (code == ErrorCode.LEASE_LOST
                        || code == ErrorCode.RESOURCE_EXHAUSTED
                        || code == ErrorCode.TRANSACTION_GIVEN_UP) {
                    rolledBack();
                } else if (code == ErrorCode.PRODUCER_FENCED && succession != null) {
                    asked = false;
                    supersede();
                } else {
                    client.retryLater(code);
                }
            }
        });
    }

    /** Gives it up, unless it has happened. */
    private void askOutcome() {
        asked = true;
        TransactionOutcome.Request request =
                new TransactionOutcome.Request(pending.shard(), producerId, epoch, pending.sequence());
        client.ask(request, new SimulatedClient.Answer() {
            @Override
            public void answered(Record response) {
                TransactionOutcome.Verdict verdict = ((TransactionOutcome.Response) response).verdict();
                if (verdict == TransactionOutcome.Verdict.COMMITTED) {
                    client.foundCommitted(pending);
                    committed();
                } else if (verdict == TransactionOutcome.Verdict.NOT_COMMITTED) {
                    rolledBack();
                } else if (succession != null) {
                    asked = false; // who has taken the name over since knows
                    supersede();
                } else {
                    throw new AssertionError("the last transaction of a session is " + verdict);
                }
            }

            @Override
            public void refused(ErrorCode code, String detail) {
                client.retryLater(code);
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
