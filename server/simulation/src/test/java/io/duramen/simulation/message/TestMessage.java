package io.duramen.simulation.message;

import io.duramen.protocol.record.DedupKey;
import io.duramen.protocol.record.HeaderTag;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.RecordBatch;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A message whose body says who sent it, and the bytes of a batch of them. Immutable.
 *
 * @param sender number of the simulated producer or token
 * @param number ascends by one per sender and partition
 * @param transaction in which it was sent; 0 for none
 * @param padding further bytes of body
 * @param ordering what keeps it from its turn
 */
public record TestMessage(
        long sender, long number, long transaction, boolean persistent, int padding, Ordering ordering) {
    /**
     * @param deliveryTime milliseconds since 1970; 0 for none
     * @param group hash; 0 for none
     */
    public record Ordering(int priority, long deliveryTime, int group) {
        static final Ordering USUAL = new Ordering(MessageRecord.PRIORITY_USUAL, 0, 0);
    }

    /** From here on a sender is a dedup id, and its numbers are attempts: a destination stores one of them. */
    public static final long DEDUP_SENDERS = 2_000_000;

    /** From here on a sender's messages are in transactions, whose dedup ids guard them. */
    public static final long GUARDED_SENDERS = 3_000_000;

    /** From here on senders send in branches, once. */
    public static final long BRANCH_SENDERS = 4_000_000;

    /** From here on each sender sends one half message, and no more. */
    public static final long HALF_SENDERS = 5_000_000;

    private static final int BODY_LENGTH = 3 * Long.BYTES;
    private static final int DEDUP_HEADER_LENGTH = 1 + Integer.BYTES + DedupKey.LENGTH;

    public boolean hasDedupId() {
        return sender >= DEDUP_SENDERS && sender < GUARDED_SENDERS;
    }

    public boolean isHalf() {
        return sender >= HALF_SENDERS;
    }

    /** Whether it may be left out because a message with an id was stored. */
    public boolean mayBeRepeat() {
        return sender >= DEDUP_SENDERS && sender < BRANCH_SENDERS;
    }

    /** The message as it is where the broker moved it to: it waits for no time there. */
    public TestMessage moved() {
        return new TestMessage(
                sender, number, transaction, persistent, padding, new Ordering(ordering.priority, 0, ordering.group));
    }

    /** A message that is handed out when its turn comes. */
    public TestMessage(long sender, long number, long transaction, boolean persistent, int padding) {
        this(sender, number, transaction, persistent, padding, Ordering.USUAL);
    }

    /** A sealed batch of the messages, position 0. */
    public static ByteBuffer batch(long producerId, long baseSequence, List<TestMessage> messages) {
        int length = RecordBatch.HEADER_LENGTH;
        boolean persistent = false;
        for (TestMessage message : messages) {
            length += message.length();
            persistent |= message.persistent;
        }
        ByteBuffer batch = ByteBuffer.allocate(length);
        batch.position(RecordBatch.HEADER_LENGTH);
        messages.forEach(message -> message.put(batch));
        batch.flip();
        RecordBatch.seal(batch, persistent, producerId, 0, baseSequence, messages.size());
        return batch;
    }

    private int length() {
        return MessageRecord.HEADER_LENGTH + headersLength() + BODY_LENGTH + padding;
    }

    private int headersLength() {
        return hasDedupId() ? DEDUP_HEADER_LENGTH : 0;
    }

    private void put(ByteBuffer out) {
        int at = out.position();
        out.putInt(at + MessageRecord.LENGTH_AT, length() - 4);
        out.put(at + MessageRecord.VERSION_AT, MessageRecord.VERSION);
        out.put(at + MessageRecord.FLAGS_AT, (byte)
                ((persistent ? MessageRecord.FLAG_PERSISTENT : 0) | (hasDedupId() ? MessageRecord.FLAG_DEDUP : 0)));
        out.put(at + MessageRecord.PRIORITY_AT, (byte) ordering.priority);
        out.putLong(at + MessageRecord.DELIVERY_TIME_AT, ordering.deliveryTime);
        out.putInt(at + MessageRecord.GROUP_HASH_AT, ordering.group);
        out.putInt(at + MessageRecord.HEADERS_LENGTH_AT, headersLength());
        out.putInt(at + MessageRecord.BODY_LENGTH_AT, BODY_LENGTH + padding);
        out.position(at + MessageRecord.HEADER_LENGTH);
        if (hasDedupId()) {
            out.put((byte) HeaderTag.DEDUP_KEY).putInt(DedupKey.LENGTH);
            out.put(new DedupKey(0, sender).toBytes());
        }
        out.putLong(sender).putLong(number).putLong(transaction);
        for (int i = 0; i < padding; i++) {
            out.put((byte) (sender * 31 + number + i));
        }
    }

    /** Reads a record as {@link #batch} wrote it. */
    public static TestMessage read(ByteBuffer record) {
        ByteBuffer in = record.duplicate();
        int at = in.position();
        boolean persistent = (in.get(at + MessageRecord.FLAGS_AT) & MessageRecord.FLAG_PERSISTENT) != 0;
        int padding = in.getInt(at + MessageRecord.BODY_LENGTH_AT) - BODY_LENGTH;
        Ordering ordering = new Ordering(
                in.get(at + MessageRecord.PRIORITY_AT),
                in.getLong(at + MessageRecord.DELIVERY_TIME_AT),
                in.getInt(at + MessageRecord.GROUP_HASH_AT));
        in.position(at
                + MessageRecord.HEADER_LENGTH
                + in.getInt(at + MessageRecord.HEADERS_LENGTH_AT)
                + in.getInt(at + MessageRecord.PROPERTIES_LENGTH_AT));
        return new TestMessage(in.getLong(), in.getLong(), in.getLong(), persistent, padding, ordering);
    }
}
