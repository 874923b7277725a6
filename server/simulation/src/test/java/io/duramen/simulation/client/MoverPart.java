package io.duramen.simulation.client;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.ForShard;
import io.duramen.protocol.frame.InitProducer;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.TransactionOutcome;
import java.util.List;

/**
 * A transacted session that moves tokens from one queue to the next: what it takes and what it sends commit together. A
 * commit whose answer is lost is repeated with the same number. One that has a name shares it with rivals: they fence each
 * other, and what a fenced one was committing has happened if, and only if, its successor was told so.
 */
public final class MoverPart extends IntakePart {

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
    private boolean left;

    public MoverPart(SimulatedClient client, String source, String target) {
        this(client, source, target, null);
    }

    /** @param named whose name it takes; null for a session */
    public MoverPart(SimulatedClient client, String source, String target, Succession named) {
        super(client, new Intake.Source(source, DestinationKind.QUEUE, SubscriptionKind.QUEUE, ""));
        this.target = target;
        this.succession = named;
        this.fenced = named != null;
        this.incarnation = random.nextLong();
        this.producerId = named == null ? random.nextLong() | 1 : named.producerId();
    }

    @Override
    public void connected() {
        new Destinations(client).resolve(target, DestinationKind.QUEUE, found -> targets = found);
        super.connected();
    }

    @Override
    public void lost() {
        targets = List.of();
        again = asked || again;
        asked = false;
        taking = false;
        super.lost();
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
                giveBack();
            }
            intake.leave();
            left = true;
            return;
        }
        if (succession != null && random.oneIn(20)) {
            supersede();
            return;
        }
        takeTokens();
        if (!intake.held().isEmpty() && random.oneIn(2)) {
            if (random.oneIn(8)) {
                giveBack();
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
            giveBack();
        }
    }

    private void commit() {
        sequence++;
        Parts parts = moving(targets, transaction());
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
    public boolean isIdle() {
        return left && pending == null;
    }

    @Override
    public String describe() {
        return "mover to " + target + ", " + (pending == null ? "no commit" : "commit " + sequence) + ", " + intake;
    }
}
