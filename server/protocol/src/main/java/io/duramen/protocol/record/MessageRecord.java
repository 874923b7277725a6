package io.duramen.protocol.record;

import io.duramen.protocol.MalformedFrameException;
import java.nio.ByteBuffer;

/**
 * One message as its producer encoded it. The server reads the fixed header and, for selectors, the property region; it
 * never looks into the body. Big-endian.
 *
 * <pre>
 *   0        4         5       6          7          8           16           24             32
 *   | length | version | flags | priority | bodyType | timestamp | expiration | deliveryTime | groupHash
 *   36          44          52              56                 60           64
 *   | idProducer | idNumber | headersLength | propertiesLength | bodyLength | headers … properties … body …
 *   length counts from behind itself; times are milliseconds since 1970, 0 for none; groupHash is 0 without a group;
 *   idProducer and idNumber make the JMSMessageID, both 0 where the producer was told to leave it out.
 * </pre>
 *
 * Headers are a sequence of {@code u8 tag, i32 length, bytes} (tags are the client's, see {@link HeaderTag}).
 * Properties are {@code i32 count} times {@code u16 name length, name, u8 type, value} (see {@link PropertyType}).
 */
public final class MessageRecord {
    /** Bytes before the headers region, the length field included. */
    public static final int HEADER_LENGTH = 64;

    /** Layout version written by this code. */
    public static final byte VERSION = 1;

    public static final int FLAG_PERSISTENT = 1;
    /** Set when the properties region has at least one property. */
    public static final int FLAG_PROPERTIES = 1 << 1;

    /** Set when the body stands apart: the header {@link HeaderTag#LARGE_BODY} says where, and the body region is empty. */
    public static final int FLAG_LARGE = 1 << 2;

    /**
     * Set when the headers region has {@link HeaderTag#USER_ID}, which is the name that its producer logged in with: the
     * server checks it. A reader takes that header for nothing without this flag.
     */
    public static final int FLAG_USER_ID = 1 << 3;

    /**
     * Set when the headers region begins with {@link HeaderTag#DEDUP_KEY}: the message is stored only where none with that
     * key was. A reader takes that header for nothing without this flag.
     */
    public static final int FLAG_DEDUP = 1 << 4;

    /** The priority of a message whose producer says nothing else. */
    public static final byte PRIORITY_USUAL = 4;

    public static final int LENGTH_AT = 0;
    public static final int VERSION_AT = 4;
    public static final int FLAGS_AT = 5;
    public static final int PRIORITY_AT = 6;
    public static final int BODY_TYPE_AT = 7;
    public static final int TIMESTAMP_AT = 8;
    public static final int EXPIRATION_AT = 16;
    public static final int DELIVERY_TIME_AT = 24;
    public static final int GROUP_HASH_AT = 32;
    public static final int ID_PRODUCER_AT = 36;
    public static final int ID_NUMBER_AT = 44;
    public static final int HEADERS_LENGTH_AT = 52;
    public static final int PROPERTIES_LENGTH_AT = 56;
    public static final int BODY_LENGTH_AT = 60;

    private MessageRecord() {}

    /** Whether the body of the record that stands there is stored apart. */
    public static boolean isLarge(ByteBuffer in, int at) {
        return (in.get(at + FLAGS_AT) & FLAG_LARGE) != 0;
    }

    /**
     * Checks that a whole record stands at {@code at} and that its regions fill it exactly.
     *
     * @return bytes of the record, the length field included
     * @throws MalformedFrameException where it is not one
     */
    public static int check(ByteBuffer in, int at) {
        int remaining = in.limit() - at;
        if (remaining < HEADER_LENGTH) {
            throw new MalformedFrameException("a record header does not fit in the " + remaining + " bytes left");
        }
        int length = in.getInt(at);
        if (length < HEADER_LENGTH - 4 || length > remaining - 4) {
            throw new MalformedFrameException(
                    "a record of " + length + " bytes where " + (remaining - 4) + " are left");
        }
        if (in.get(at + VERSION_AT) != VERSION) {
            throw new MalformedFrameException("record version " + in.get(at + VERSION_AT) + " is not known");
        }
        int priority = in.get(at + PRIORITY_AT);
        if (priority < 0 || priority > 9) {
            throw new MalformedFrameException("priority " + priority + " is not in 0..9");
        }
        long headers = in.getInt(at + HEADERS_LENGTH_AT);
        long properties = in.getInt(at + PROPERTIES_LENGTH_AT);
        long body = in.getInt(at + BODY_LENGTH_AT);
        if (headers < 0 || properties < 0 || body < 0 || HEADER_LENGTH + headers + properties + body != length + 4L) {
            throw new MalformedFrameException("the regions of a record (" + headers + ", " + properties + ", " + body
                    + " bytes) do not fill its " + length);
        }
        if (isLarge(in, at) && body != 0) {
            throw new MalformedFrameException(
                    "a large body is said to stand apart, and " + body + " bytes of it do not");
        }
        if ((in.get(at + FLAGS_AT) & FLAG_DEDUP) != 0) {
            DedupKey.check(in, at);
        }
        return length + 4;
    }
}
