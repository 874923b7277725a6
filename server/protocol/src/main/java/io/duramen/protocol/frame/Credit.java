package io.duramen.protocol.frame;

/** One way, client to server: lets a consumer be sent more. Without messages, bytes and drain it answers a {@link Recall}. */
public interface Credit {
    /**
     * @param messages how many more messages may be sent
     * @param bytes how many more bytes of records; a message is sent while any are left, so the last may exceed them
     * @param seen number of deliveries (counted from 1 since Attach, in the order sent) that the application has been
     *     given so far; the rest are unseen and, if the consumer vanishes, count as never delivered
     * @param drain when true, the server sends what it can at once, then takes all credit back and says so by Drained
     */
    record Push(int shard, int consumerId, int messages, int bytes, long seen, boolean drain) implements ForShard {}
}
