package io.duramen.broker.shard;

import io.duramen.broker.shard.ControlRecord.DeliveryPaused;
import io.duramen.broker.shard.ControlRecord.DestinationChanged;
import io.duramen.broker.shard.ControlRecord.DestinationCreated;
import io.duramen.broker.shard.ControlRecord.SubscriptionCreated;
import io.duramen.broker.shard.DedupDecisions.Guard;
import io.duramen.broker.shard.ShardMessage.AskOutcome;
import io.duramen.broker.shard.ShardMessage.Define;
import io.duramen.broker.shard.ShardMessage.DefineAll;
import io.duramen.broker.shard.ShardMessage.Defined;
import io.duramen.broker.shard.ShardMessage.FinishBranch;
import io.duramen.broker.shard.ShardMessage.Finished;
import io.duramen.broker.shard.ShardMessage.OutcomePending;
import io.duramen.broker.shard.ShardMessage.PrepareBranch;
import io.duramen.broker.shard.ShardMessage.QueueWanted;
import io.duramen.broker.shard.ShardMessage.TakesParts;
import io.duramen.broker.shard.ShardMessage.Voted;
import io.duramen.broker.shard.ShardMessage.WantQueue;
import io.duramen.broker.talk.Word;
import io.duramen.log.DamagedLogException;
import io.duramen.protocol.Codec;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit.ConsumerSettlement;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * What shards of different nodes say to each other, as it stands on the wire: the records here in the form of {@link Codec} at
 * {@link #FORMAT}, or the messages themselves where they have one. Stateless; bytes that are read stand in what was read.
 */
final class ShardWords {
    /** Grows with {@code @Since} components. */
    static final int FORMAT = 1;

    // The numbers on the wire. Never reused.
    private static final byte DEFINE = 1;
    private static final byte DEFINE_ALL = 2;
    private static final byte DEFINED = 3;
    private static final byte WANT_QUEUE = 4;
    private static final byte QUEUE_WANTED = 5;
    private static final byte PREPARE_BRANCH = 6;
    private static final byte VOTED = 7;
    private static final byte FINISH_BRANCH = 8;
    private static final byte FINISHED = 9;
    private static final byte ASK_OUTCOME = 10;
    private static final byte OUTCOME_PENDING = 11;
    private static final byte TAKES_PARTS = 12;

    /** A control record by its type, see {@link ControlRecord#TYPES}. */
    record Change(byte type, ByteBuffer body) {}

    record DefineWord(long number, List<Change> changes) {}

    record DefineAllWord(
            long number,
            List<DestinationCreated> destinations,
            List<SubscriptionCreated> subscriptions,
            List<DeliveryPaused> pauses,
            List<DestinationChanged> changed) {}

    /** @param code see {@link ErrorCode#number} */
    record Refusal(int code, String detail) {}

    /** @param refusal at most one */
    record DefinedWord(long number, List<Refusal> refusal) {}

    /** @param refusal at most one */
    record QueueWantedWord(String name, List<Refusal> refusal) {}

    record PrepareWord(
            BranchId inner, FarClient client, List<PartitionBatch> batches, List<ConsumerSettlement> settlements) {}

    /** @param refusal at most one */
    record VotedWord(BranchId inner, List<Refusal> refusal, Guard guard) {}

    private ShardWords() {}

    /** A word with bytes of its own. */
    static Word encode(ShardMessage message) {
        if (message instanceof Define define) {
            return word(DEFINE, new DefineWord(define.number(), changes(define.changes())));
        } else if (message instanceof DefineAll all) {
            return word(
                    DEFINE_ALL,
                    new DefineAllWord(
                            all.number(),
                            all.destinations(),
                            all.subscriptions(),
                            all.besides().pauses(),
                            all.besides().changed()));
        } else if (message instanceof Defined defined) {
            return word(DEFINED, new DefinedWord(defined.number(), refusal(defined.refusal())));
        } else if (message instanceof QueueWanted wanted) {
            return word(QUEUE_WANTED, new QueueWantedWord(wanted.name(), refusal(wanted.refusal())));
        } else if (message instanceof PrepareBranch prepare) {
            return word(
                    PREPARE_BRANCH,
                    new PrepareWord(
                            prepare.inner(),
                            FarClient.of(prepare.connection()),
                            prepare.batches(),
                            prepare.settlements()));
        } else if (message instanceof Voted voted) {
            return word(VOTED, new VotedWord(voted.inner(), refusal(voted.refusal()), voted.guard()));
        }
        return plain(message);
    }

    /** Of one that is on the wire as it is. */
    private static Word plain(ShardMessage message) {
        if (message instanceof WantQueue want) {
            return word(WANT_QUEUE, want);
        } else if (message instanceof FinishBranch finish) {
            return word(FINISH_BRANCH, finish);
        } else if (message instanceof Finished finished) {
            return word(FINISHED, finished);
        } else if (message instanceof AskOutcome question) {
            return word(ASK_OUTCOME, question);
        } else if (message instanceof OutcomePending pending) {
            return word(OUTCOME_PENDING, pending);
        } else if (message instanceof TakesParts ready) {
            return word(TAKES_PARTS, ready);
        }
        throw new IllegalArgumentException("no word for " + message.getClass());
    }

    private static Word word(byte type, Record value) {
        ByteBuffer body = ByteBuffer.allocate(Codec.sizeOf(value, FORMAT));
        Codec.write(value, FORMAT, body);
        return new Word(type, body.flip());
    }

    private static List<Change> changes(List<ControlRecord> changes) {
        return changes.stream()
                .map(change -> new Change(change.type(), change.encode(ControlRecord.FORMAT)))
                .toList();
    }

    private static List<Refusal> refusal(Optional<ProtocolException> refusal) {
        return refusal.stream()
                .map(one -> new Refusal(one.code().number(), one.getMessage()))
                .toList();
    }

    /** @throws MalformedFrameException where it is no word that this one knows */
    static ShardMessage decode(Word word) {
        ByteBuffer body = word.body().duplicate();
        return switch (word.type()) {
            case DEFINE -> {
                DefineWord define = read(DefineWord.class, body);
                yield new Define(define.number, controls(define.changes));
            }
            case DEFINE_ALL -> {
                DefineAllWord all = read(DefineAllWord.class, body);
                yield new DefineAll(
                        all.number,
                        all.destinations,
                        all.subscriptions,
                        new DefineAll.Besides(all.pauses, all.changed));
            }
            case DEFINED -> {
                DefinedWord defined = read(DefinedWord.class, body);
                yield new Defined(defined.number, exception(defined.refusal));
            }
            case QUEUE_WANTED -> {
                QueueWantedWord wanted = read(QueueWantedWord.class, body);
                yield new QueueWanted(wanted.name, exception(wanted.refusal));
            }
            case PREPARE_BRANCH -> {
                PrepareWord prepare = read(PrepareWord.class, body);
                yield new PrepareBranch(
                        prepare.inner, prepare.client, prepare.batches, prepare.settlements, new Ballot(1));
            }
            case VOTED -> {
                VotedWord voted = read(VotedWord.class, body);
                yield new Voted(voted.inner, exception(voted.refusal), voted.guard);
            }
            case WANT_QUEUE -> read(WantQueue.class, body);
            case FINISH_BRANCH -> read(FinishBranch.class, body);
            case FINISHED -> read(Finished.class, body);
            case ASK_OUTCOME -> read(AskOutcome.class, body);
            case OUTCOME_PENDING -> read(OutcomePending.class, body);
            case TAKES_PARTS -> read(TakesParts.class, body);
            default -> throw new MalformedFrameException("no word has the number " + word.type());
        };
    }

    private static <T extends Record> T read(Class<T> type, ByteBuffer body) {
        return Codec.read(type, FORMAT, body);
    }

    private static List<ControlRecord> controls(List<Change> changes) {
        try {
            return changes.stream()
                    .map(change -> ControlRecord.decode(change.type, ControlRecord.FORMAT, change.body))
                    .toList();
        } catch (DamagedLogException e) {
            throw new MalformedFrameException("a definition that is none: " + e.getMessage());
        }
    }

    private static Optional<ProtocolException> exception(List<Refusal> refusal) {
        return refusal.stream()
                .findFirst()
                .map(one -> new ProtocolException(ErrorCode.of(one.code), one.detail == null ? "" : one.detail));
    }
}
