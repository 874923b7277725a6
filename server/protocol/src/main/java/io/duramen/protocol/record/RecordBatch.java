package io.duramen.protocol.record;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.ProtocolException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.zip.CRC32C;

/**
 * Messages of one producer for one partition, the unit that is published. Written by the client, checked by the server,
 * stored unchanged. Big-endian.
 *
 * <pre>
 *   0        4        8         9            12           20              24             32      36
 *   | length | crc32c | version | attributes | producerId | producerEpoch | baseSequence | count | records …
 *   length counts from behind itself; crc32c covers version to the end. The i24 behind version holds attributes.
 * </pre>
 *
 * Sequences ascend by one a message, per producer and partition; a batch whose sequences were stored before is a
 * repeat and is dropped (see the broker's producer state). Producer 0 has no sequences and is never deduplicated.
 */
public final class RecordBatch {
    /** Bytes before the records, the length field included. */
    public static final int HEADER_LENGTH = 36;

    public static final byte VERSION = 1;

    /** Attribute: at least one message of the batch is persistent. */
    public static final int ATTRIBUTE_PERSISTENT = 1;

    /** Attribute: at least one message has another priority than {@link MessageRecord#PRIORITY_USUAL}. */
    public static final int ATTRIBUTE_PRIORITY = 1 << 1;

    /** Attribute: at least one message has a delivery time. */
    public static final int ATTRIBUTE_DELIVERY_TIME = 1 << 2;

    /** Attribute: at least one message expires. */
    public static final int ATTRIBUTE_EXPIRATION = 1 << 3;

    /** Attribute: at least one message belongs to a group. */
    public static final int ATTRIBUTE_GROUP = 1 << 4;

    /** Attribute: the body of at least one message is stored apart, see {@link LargeBody}. */
    public static final int ATTRIBUTE_LARGE = 1 << 5;

    /** Attribute: at least one message has a {@link DedupKey}. */
    public static final int ATTRIBUTE_DEDUP = 1 << 7;

    /** The attributes that follow from the records: a batch that says otherwise is refused. */
    public static final int TRAITS = ATTRIBUTE_PRIORITY
            | ATTRIBUTE_DELIVERY_TIME
            | ATTRIBUTE_EXPIRATION
            | ATTRIBUTE_GROUP
            | ATTRIBUTE_LARGE
            | ATTRIBUTE_DEDUP;

    /** Attribute: it is no batch of messages but a {@link BodyPart}. */
    static final int ATTRIBUTE_PART = 1 << 6;

    /** The checksum of a batch covers what stands from here on to its end. */
    public static final int CHECKED_FROM = 8;

    private static final int CRC_AT = 4;
    private static final int VERSION_AT = 8;
    private static final int PRODUCER_ID_AT = 12;
    private static final int PRODUCER_EPOCH_AT = 20;
    private static final int BASE_SEQUENCE_AT = 24;
    private static final int COUNT_AT = 32;

    private RecordBatch() {}

    public static long producerId(ByteBuffer batch) {
        return batch.getLong(batch.position() + PRODUCER_ID_AT);
    }

    /** Ascends when a producer is taken over by a new incarnation, which fences the old one. */
    public static int producerEpoch(ByteBuffer batch) {
        return batch.getInt(batch.position() + PRODUCER_EPOCH_AT);
    }

    public static long baseSequence(ByteBuffer batch) {
        return batch.getLong(batch.position() + BASE_SEQUENCE_AT);
    }

    /** Messages in the batch, at least 1. */
    public static int count(ByteBuffer batch) {
        return batch.getInt(batch.position() + COUNT_AT);
    }

    /** The CRC32C that the batch says of itself, from {@link #CHECKED_FROM} on. */
    public static int checksum(ByteBuffer batch) {
        return batch.getInt(batch.position() + CRC_AT);
    }

    public static boolean isPersistent(ByteBuffer batch) {
        return (batch.getInt(batch.position() + VERSION_AT) & ATTRIBUTE_PERSISTENT) != 0;
    }

    /** What its messages need beyond their turn: those of {@link #TRAITS} that at least one of them has. */
    public static int traits(ByteBuffer batch) {
        return batch.getInt(batch.position() + VERSION_AT) & TRAITS;
    }

    /** Whether it is a part of a large body, which has the header of a batch. */
    static boolean isPart(ByteBuffer batch) {
        return (batch.getInt(batch.position() + VERSION_AT) & ATTRIBUTE_PART) != 0;
    }

    private static int traitsOf(ByteBuffer batch, int record) {
        int traits = 0;
        if (batch.get(record + MessageRecord.PRIORITY_AT) != MessageRecord.PRIORITY_USUAL) {
            traits |= ATTRIBUTE_PRIORITY;
        }
        if (batch.getLong(record + MessageRecord.DELIVERY_TIME_AT) != 0) {
            traits |= ATTRIBUTE_DELIVERY_TIME;
        }
        if (batch.getLong(record + MessageRecord.EXPIRATION_AT) != 0) {
            traits |= ATTRIBUTE_EXPIRATION;
        }
        if (batch.getInt(record + MessageRecord.GROUP_HASH_AT) != 0) {
            traits |= ATTRIBUTE_GROUP;
        }
        if (MessageRecord.isLarge(batch, record)) {
            traits |= ATTRIBUTE_LARGE;
        }
        if (DedupKey.isIn(batch, record)) {
            traits |= ATTRIBUTE_DEDUP;
        }
        return traits;
    }

    /** Of the records, as far as they are whole. */
    private static int traitsOf(ByteBuffer batch) {
        int traits = 0;
        int at = batch.position() + HEADER_LENGTH;
        while (traits != TRAITS && batch.limit() - at >= MessageRecord.HEADER_LENGTH) {
            int length = batch.getInt(at);
            if (length < 0 || length > batch.limit() - at - 4) {
                break;
            }
            traits |= traitsOf(batch, at);
            at += length + 4;
        }
        return traits;
    }

    /**
     * Writes the header of a batch whose records already stand behind the gap left for it; its traits follow from them.
     *
     * @param batch position at the batch's first byte, limit at the end of its records
     */
    public static void seal(
            ByteBuffer batch, boolean persistent, long producerId, int producerEpoch, long baseSequence, int count) {
        sealAs(
                traitsOf(batch) | (persistent ? ATTRIBUTE_PERSISTENT : 0),
                batch,
                producerId,
                producerEpoch,
                baseSequence,
                count);
    }

    static void sealAs(
            int attributes, ByteBuffer batch, long producerId, int producerEpoch, long baseSequence, int count) {
        int at = batch.position();
        batch.putInt(at, batch.remaining() - 4);
        batch.putInt(at + VERSION_AT, VERSION << 24 | attributes);
        batch.putLong(at + PRODUCER_ID_AT, producerId);
        batch.putInt(at + PRODUCER_EPOCH_AT, producerEpoch);
        batch.putLong(at + BASE_SEQUENCE_AT, baseSequence);
        batch.putInt(at + COUNT_AT, count);
        batch.putInt(at + CRC_AT, crc(batch));
    }

    /**
     * A copy without some of the messages. It has no producer: its sequences would not be those of what is left.
     *
     * @param batch that {@link #check} has passed
     * @param leftOut at least one and not all of its messages, by their place in it
     */
    public static ByteBuffer without(ByteBuffer batch, BitSet leftOut) {
        ByteBuffer rest = ByteBuffer.allocate(batch.remaining()).position(HEADER_LENGTH);
        int at = batch.position() + HEADER_LENGTH;
        int count = count(batch);
        boolean persistent = false;
        for (int i = 0; i < count; i++) {
            int length = batch.getInt(at) + 4;
            if (!leftOut.get(i)) {
                persistent |= (batch.get(at + MessageRecord.FLAGS_AT) & MessageRecord.FLAG_PERSISTENT) != 0;
                rest.put(batch.slice(at, length));
            }
            at += length;
        }
        seal(rest.flip(), persistent, 0, 0, -1, count - leftOut.cardinality());
        return rest;
    }

    /**
     * Checks a batch that came from the wire or from disk: length, checksum, that its records fill it exactly, and that
     * its traits are theirs.
     *
     * @param batch position and limit enclose exactly the batch
     * @return the flags that at least one of its records has (see {@link MessageRecord})
     * @throws ProtocolException with {@link ErrorCode#CORRUPT_BATCH} where it does not hold
     */
    public static int check(ByteBuffer batch) {
        try {
            checkLengthAndChecksum(batch);
            if (isPart(batch)) {
                throw new MalformedFrameException("a part of a large body is no batch of messages");
            }
            int count = count(batch);
            checkSequences(batch, count);
            int at = batch.position() + HEADER_LENGTH;
            int traits = 0;
            int flags = 0;
            for (int i = 0; i < count; i++) {
                int length = MessageRecord.check(batch, at);
                traits |= traitsOf(batch, at);
                flags |= batch.get(at + MessageRecord.FLAGS_AT);
                at += length;
            }
            if (count < 1 || at != batch.limit()) {
                throw new MalformedFrameException(count + " records do not fill the batch");
            }
            if (traits != traits(batch)) {
                throw new MalformedFrameException(
                        "the batch says traits " + traits(batch) + " where its records have " + traits);
            }
            return flags;
        } catch (MalformedFrameException e) {
            throw new ProtocolException(ErrorCode.CORRUPT_BATCH, e.getMessage());
        }
    }

    /** Sequences of a producer that has them stay within 0 to {@link Long#MAX_VALUE}, so that no reader need ask again. */
    private static void checkSequences(ByteBuffer batch, int count) {
        long base = baseSequence(batch);
        if (producerId(batch) != 0 && (base < 0 || base > Long.MAX_VALUE - count || producerEpoch(batch) < 0)) {
            throw new MalformedFrameException(
                    "epoch " + producerEpoch(batch) + " and sequence " + base + " of a producer are not 0 or more");
        }
    }

    /** As {@link #check}, without walking the records: for a batch whose records were checked when it was stored. */
    public static void checkLengthAndChecksum(ByteBuffer batch) {
        if (batch.remaining() < HEADER_LENGTH) {
            throw new ProtocolException(
                    ErrorCode.CORRUPT_BATCH, "a batch of " + batch.remaining() + " bytes is shorter than its header");
        }
        int at = batch.position();
        if (batch.getInt(at) != batch.remaining() - 4) {
            throw new ProtocolException(
                    ErrorCode.CORRUPT_BATCH,
                    "batch length " + batch.getInt(at) + " where " + (batch.remaining() - 4) + " bytes follow");
        }
        if (batch.get(at + VERSION_AT) != VERSION) {
            throw new ProtocolException(
                    ErrorCode.CORRUPT_BATCH, "batch version " + batch.get(at + VERSION_AT) + " is not known");
        }
        if (batch.getInt(at + CRC_AT) != crc(batch)) {
            throw new ProtocolException(ErrorCode.CORRUPT_BATCH, "the batch does not match its checksum");
        }
    }

    private static int crc(ByteBuffer batch) {
        CRC32C crc = new CRC32C();
        ByteBuffer covered = batch.duplicate();
        covered.position(batch.position() + VERSION_AT);
        crc.update(covered);
        return (int) crc.getValue();
    }
}
