package io.duramen.broker.transaction;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The last transaction of each producer that was refused for good, so that its repeats are refused as well: a client that
 * lost its connection repeats it on another, is told of the rollback there, and must not find it done by the first request,
 * which may be read late from the connection it gave up. Soft state of the leader, with whom those connections die.
 * Confined to the shard's agent.
 */
public final class RefusedTransactions {
    private record Refusal(long sequence, ProtocolException reason) {}

    private final LinkedHashMap<Long, Refusal> byProducer;

    /** @param max producers remembered; beyond it the one refused longest ago is forgotten */
    public RefusedTransactions(int max) {
        byProducer = new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, Refusal> eldest) {
                return size() > max;
            }
        };
    }

    /** Remembers a refusal. */
    public void refused(long producerId, long sequence, ProtocolException reason) {
        byProducer.remove(producerId);
        byProducer.put(producerId, new Refusal(sequence, reason));
    }

    /** Somebody was told that the transaction has not committed: from now on it cannot. */
    public void giveUp(long producerId, long sequence) {
        Refusal refusal = byProducer.get(producerId);
        if (refusal == null || refusal.sequence < sequence) {
            refused(
                    producerId,
                    sequence,
                    new ProtocolException(
                            ErrorCode.TRANSACTION_GIVEN_UP, "transaction " + sequence + " was said not to commit"));
        }
    }

    /** @throws ProtocolException the one with which this transaction, or a later one of the producer, was refused */
    public void requireNotRefused(long producerId, long sequence) {
        Refusal refusal = byProducer.get(producerId);
        if (refusal != null && sequence <= refusal.sequence) {
            throw refusal.reason;
        }
    }
}
