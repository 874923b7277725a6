package io.duramen.protocol.frame;

/**
 * Asks whether a message with a dedup id was stored in a partition, as far as the partition's window of ids goes. Answered
 * when what it says is as durable as {@link Publish.Acks#ALL} asks for.
 */
public interface FindDedupId {
    /** @param keyHigh and keyLow: see {@link io.duramen.protocol.record.DedupKey} */
    record Request(int shard, int partition, long keyHigh, long keyLow) implements ForShard {}

    /** @param storedMillis when, by the server's clock, to the second; 0 where it is not stored */
    record Response(Finding finding, long storedMillis) {}

    enum Finding {
        /** No message with it is in the window: none was stored, or long ago. */
        UNKNOWN,
        /** A message with it is stored, whether or not somebody has consumed it since. */
        STORED,
        /** A prepared branch of a distributed transaction has one, and is neither committed nor rolled back. */
        UNDECIDED
    }
}
