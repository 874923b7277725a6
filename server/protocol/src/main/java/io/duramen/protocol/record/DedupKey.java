package io.duramen.protocol.record;

import io.duramen.protocol.MalformedFrameException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What stands for an application's dedup id: the first 16 bytes of the SHA-256 of its UTF-8. The client makes it, so that
 * the server compares numbers; two ids with one key are as likely among 10<sup>9</sup> ids as 1 in 10<sup>20</sup>.
 * In a record it is the first field of the headers region, at a fixed place:
 *
 * <pre>
 *   64    65          69             77
 *   | tag | length 16 | key, i64 high | i64 low
 * </pre>
 */
public record DedupKey(long high, long low) {
    /** Bytes of a key. */
    public static final int LENGTH = 2 * Long.BYTES;

    private static final int LENGTH_AT = MessageRecord.HEADER_LENGTH + 1;
    private static final int KEY_AT = LENGTH_AT + Integer.BYTES;

    private static final MessageDigest SHA_256 = sha256();

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The key of an id; unpaired surrogates count as question marks. */
    public static DedupKey of(String id) {
        try {
            MessageDigest sha256 = (MessageDigest) SHA_256.clone(); // a third of what a new one costs
            ByteBuffer in = ByteBuffer.wrap(sha256.digest(id.getBytes(StandardCharsets.UTF_8)));
            return new DedupKey(in.getLong(), in.getLong());
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the SHA-256 of this Java platform cannot be copied", e);
        }
    }

    /** Whether the record that stands there has one. */
    public static boolean isIn(ByteBuffer in, int record) {
        return (in.get(record + MessageRecord.FLAGS_AT) & MessageRecord.FLAG_DEDUP) != 0;
    }

    /** Of a record that has one and was checked. */
    public static DedupKey at(ByteBuffer in, int record) {
        return new DedupKey(highAt(in, record), lowAt(in, record));
    }

    /** As {@link #at}, the first half. */
    public static long highAt(ByteBuffer in, int record) {
        return in.getLong(record + KEY_AT);
    }

    /** As {@link #at}, the second half. */
    public static long lowAt(ByteBuffer in, int record) {
        return in.getLong(record + KEY_AT + Long.BYTES);
    }

    /** As it stands in a record, behind its tag and length. */
    public byte[] toBytes() {
        return ByteBuffer.allocate(LENGTH).putLong(high).putLong(low).array();
    }

    /** @throws MalformedFrameException where the record, whose regions fill it, says that it has one and does not */
    static void check(ByteBuffer in, int record) {
        if (in.getInt(record + MessageRecord.HEADERS_LENGTH_AT) < KEY_AT - MessageRecord.HEADER_LENGTH + LENGTH
                || in.get(record + MessageRecord.HEADER_LENGTH) != HeaderTag.DEDUP_KEY
                || in.getInt(record + LENGTH_AT) != LENGTH) {
            throw new MalformedFrameException("a message says that it has a dedup key, and does not");
        }
    }
}
