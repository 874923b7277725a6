package io.duramen.broker.shard;

import io.duramen.broker.shard.ControlRecord.IdentityTaken;
import io.duramen.broker.transaction.ProducerIdentity;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Protocol;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.InitProducer;
import io.duramen.protocol.frame.TransactionOutcome.Verdict;
import io.duramen.replication.ReplicatedLog.Durability;
import io.duramen.runtime.Clock;
import java.nio.charset.StandardCharsets;

/**
 * Decides whose the identities of transactional producers are. Confined to the agent.
 *
 * <p>A Commit with epoch 0 comes from a session, which has none. One with an epoch from 1 on is of an identity, and is taken
 * only from the incarnation that took it over last. What was appended before the takeover stands before it in the log, so
 * once the takeover is committed, it is known what the earlier incarnations have committed, for ever.
 */
final class IdentityDecisions {
    private final ShardState state;
    private final Appender appender;
    private final Clock clock;

    IdentityDecisions(ShardState state, Appender appender, Clock clock) {
        this.state = state;
        this.appender = appender;
        this.clock = clock;
    }

    void init(Reply reply, InitProducer.Request request) {
        appender.requireWritable();
        requireValid(request);
        String user = reply.connection().user();
        ProducerIdentity latest = state.identities.latest(request.name());
        if (latest != null && !latest.user().equals(user)) {
            throw new ProtocolException(
                    ErrorCode.NOT_AUTHORIZED, "producer '" + request.name() + "' belongs to another user");
        }
        if (latest == null || latest.incarnation() != request.incarnation()) {
            take(latest, user, request);
        }
        appender.whenDurable(new Appender.Waiter() {
            @Override
            public void reached() {
                answer(reply, request);
            }

            @Override
            public void failed(ProtocolException reason) {
                reply.fail(reason);
            }
        });
    }

    private static void requireValid(InitProducer.Request request) {
        String name = request.name();
        int length = name == null ? 0 : name.getBytes(StandardCharsets.UTF_8).length;
        if (length == 0 || length > Protocol.NAME_LENGTH_MAX || request.producerId() == 0) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    "a producer's name has 1 to " + Protocol.NAME_LENGTH_MAX + " bytes, and its id is not 0");
        }
    }

    /** @param latest null where it is to be made */
    private void take(ProducerIdentity latest, String user, InitProducer.Request request) {
        if (latest == null && state.identities.isFull(clock.millis())) {
            throw new ProtocolException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "no more producers with a name are remembered (broker.identities-max); those that nobody uses go"
                            + " after broker.identity-idle");
        }
        if (latest == null && state.identities.latest(request.producerId()) != null) {
            throw new ProtocolException(ErrorCode.INVALID_REQUEST, "the producer id is another producer's");
        }
        if (latest != null && latest.epoch() == Integer.MAX_VALUE) {
            throw new ProtocolException(
                    ErrorCode.RESOURCE_EXHAUSTED, "producer '" + request.name() + "' was taken over too often");
        }
        IdentityTaken taken = new IdentityTaken(
                request.name(),
                user,
                latest == null ? request.producerId() : latest.producerId(),
                latest == null ? 1 : latest.epoch() + 1,
                request.incarnation());
        appender.addControl(taken, Durability.SYNCED);
        state.identities.taking(new ProducerIdentity(
                taken.name(), user, taken.producerId(), taken.epoch(), taken.incarnation(), 0, "", 0));
    }

    /** Once the takeover is committed, and all that stands before it. */
    private void answer(Reply reply, InitProducer.Request request) {
        ProducerIdentity identity = state.identities.get(request.name());
        if (identity == null || identity.incarnation() != request.incarnation()) {
            reply.fail(ErrorCode.PRODUCER_FENCED, "producer '" + request.name() + "' was taken over meanwhile");
            return;
        }
        reply.succeed(new InitProducer.Response(
                identity.producerId(), identity.epoch(), identity.lastSequence(), identity.lastLabel()));
    }

    /**
     * Whether the transaction is the last that the identity has committed, whatever epoch it is of.
     *
     * @throws ProtocolException where it is none, and comes from an incarnation that is not the last
     */
    boolean isRepeat(Commit.Request request) {
        requireLabelFits(request.label());
        ProducerIdentity latest = state.identities.latest(request.producerId());
        if (latest == null && request.producerEpoch() == 0) {
            return false;
        }
        if (request.sequence() > 0 && state.identities.lastCommitted(request.producerId()) == request.sequence()) {
            return true;
        }
        if (latest == null || latest.epoch() != request.producerEpoch()) {
            throw new ProtocolException(
                    ErrorCode.PRODUCER_FENCED,
                    latest == null
                            ? "the producer is not known any more: it was not used for broker.identity-idle"
                            : "producer '" + latest.name() + "' is at epoch " + latest.epoch() + ", and this is "
                                    + request.producerEpoch());
        }
        if (request.sequence() <= ProducerIdentity.sequencesOf(latest.epoch())) {
            throw new ProtocolException(
                    ErrorCode.OUT_OF_ORDER_SEQUENCE,
                    "sequence " + request.sequence() + " is not one of epoch " + latest.epoch());
        }
        return false;
    }

    private static void requireLabelFits(String label) {
        int length = label == null ? -1 : label.getBytes(StandardCharsets.UTF_8).length;
        if (length < 0 || length > Commit.LABEL_LENGTH_MAX) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST, "a label has up to " + Commit.LABEL_LENGTH_MAX + " bytes");
        }
    }

    /**
     * What became of a transaction that has an epoch.
     *
     * @return null where it has not committed, and may be on its way
     */
    Verdict verdict(long producerId, long sequence) {
        long last = state.identities.lastCommitted(producerId);
        if (last == sequence) {
            return Verdict.COMMITTED;
        }
        // Sequences ascend over epochs.
        return sequence < last || state.identities.latest(producerId) == null ? Verdict.FORGOTTEN : null;
    }
}
