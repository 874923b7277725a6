package io.duramen.broker.shard;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.record.HeaderTag;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.RecordBatch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Any thread: holds nothing. Whether messages that name their user (JMSXUserID) name the one who logged in. */
final class UserIds {
    private static final int FIELD_HEADER_LENGTH = 1 + Integer.BYTES;

    private UserIds() {}

    /**
     * @param flags what {@link RecordBatch#check} returned of the batch: most have none of this, and cost nothing
     * @throws ProtocolException NOT_AUTHORIZED where a message names another, CORRUPT_BATCH where it says that it names one
     *     and does not
     */
    static void requireOwn(ByteBuffer batch, int flags, String user) {
        if ((flags & MessageRecord.FLAG_USER_ID) == 0) {
            return;
        }
        ByteBuffer own = ByteBuffer.wrap(user.getBytes(StandardCharsets.UTF_8));
        int at = batch.position() + RecordBatch.HEADER_LENGTH;
        for (int i = RecordBatch.count(batch); i > 0; i--) {
            if ((batch.get(at + MessageRecord.FLAGS_AT) & MessageRecord.FLAG_USER_ID) != 0) {
                requireOwn(batch, at, own, user);
            }
            at += batch.getInt(at) + Integer.BYTES;
        }
    }

    private static void requireOwn(ByteBuffer batch, int record, ByteBuffer own, String user) {
        int at = record + MessageRecord.HEADER_LENGTH;
        int end = at + batch.getInt(record + MessageRecord.HEADERS_LENGTH_AT);
        boolean named = false;
        while (at < end) {
            int length = end - at < FIELD_HEADER_LENGTH ? -1 : batch.getInt(at + 1);
            if (length < 0 || length > end - at - FIELD_HEADER_LENGTH) {
                throw new ProtocolException(ErrorCode.CORRUPT_BATCH, "a header does not fit in its region");
            }
            int value = at + FIELD_HEADER_LENGTH;
            if ((batch.get(at) & 0xFF) == HeaderTag.USER_ID) {
                named = true;
                if (!batch.slice(value, length).equals(own)) {
                    throw new ProtocolException(
                            ErrorCode.NOT_AUTHORIZED,
                            "a message names another user (JMSXUserID) than '" + user + "', who logged in");
                }
            }
            at = value + length;
        }
        if (!named) {
            throw new ProtocolException(ErrorCode.CORRUPT_BATCH, "a message says that it names its user, and does not");
        }
    }
}
