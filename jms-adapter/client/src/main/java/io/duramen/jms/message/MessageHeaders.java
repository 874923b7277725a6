package io.duramen.jms.message;

import io.duramen.jms.destination.DuramenDestination;
import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.record.HeaderTag;
import jakarta.jms.JMSException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** One thread at a time. The headers region of a record: what few messages have. */
final class MessageHeaders {
    private static final DestinationKind[] KINDS = DestinationKind.values();

    String correlationId;
    byte[] correlationIdBytes;
    String type;
    DuramenDestination replyTo;
    String groupId;
    Integer groupSequence;
    String userId;

    /** @return 0 without a group, else the same number for the same group, always */
    int groupHash() {
        if (groupId == null) {
            return 0;
        }
        int hash = groupId.hashCode() * 0x9E3779B1;
        hash ^= hash >>> 15;
        return hash == 0 ? 1 : hash;
    }

    void put(BatchBuffer out) throws JMSException {
        if (correlationIdBytes != null) {
            put(HeaderTag.CORRELATION_ID_BYTES, correlationIdBytes, out);
        } else {
            put(HeaderTag.CORRELATION_ID, correlationId, out);
        }
        put(HeaderTag.TYPE, type, out);
        if (replyTo != null) {
            int at = begin(HeaderTag.REPLY_TO, out);
            out.ensure(1).put((byte) replyTo.kind().ordinal());
            Utf8.put(replyTo.getName(), out);
            end(at, out);
        }
        put(HeaderTag.GROUP_ID, groupId, out);
        if (groupSequence != null) {
            out.ensure(9).put((byte) HeaderTag.GROUP_SEQUENCE).putInt(4).putInt(groupSequence);
        }
    }

    static void put(int tag, byte[] bytes, BatchBuffer out) throws JMSException {
        if (bytes != null) {
            out.ensure(5).put((byte) tag).putInt(bytes.length);
            out.ensure(bytes.length).put(bytes);
        }
    }

    private static void put(int tag, String text, BatchBuffer out) throws JMSException {
        if (text != null) {
            int at = begin(tag, out);
            Utf8.put(text, out);
            end(at, out);
        }
    }

    private static int begin(int tag, BatchBuffer out) throws JMSException {
        out.ensure(5).put((byte) tag).putInt(0);
        return out.length();
    }

    private static void end(int at, BatchBuffer out) throws JMSException {
        out.ensure(0).putInt(at - 4, out.length() - at);
    }

    /** @throws MalformedFrameException where the bytes are not exactly a headers region */
    static MessageHeaders read(ByteBuffer in) {
        MessageHeaders headers = new MessageHeaders();
        try {
            while (in.hasRemaining()) {
                int tag = in.get() & 0xFF;
                int length = in.getInt();
                if (length < 0 || length > in.remaining()) {
                    throw new MalformedFrameException(
                            "header " + tag + " of " + length + " bytes where " + in.remaining() + " are left");
                }
                headers.take(tag, in.slice(in.position(), length));
                in.position(in.position() + length);
            }
        } catch (BufferUnderflowException e) {
            throw new MalformedFrameException("a header ends early");
        }
        return headers;
    }

    private void take(int tag, ByteBuffer in) {
        switch (tag) {
            case HeaderTag.CORRELATION_ID -> correlationId = Utf8.decode(in);
            case HeaderTag.CORRELATION_ID_BYTES -> {
                correlationIdBytes = new byte[in.remaining()];
                in.get(correlationIdBytes);
            }
            case HeaderTag.TYPE -> type = Utf8.decode(in);
            case HeaderTag.REPLY_TO -> replyTo = readDestination(in);
            case HeaderTag.GROUP_ID -> groupId = Utf8.decode(in);
            case HeaderTag.GROUP_SEQUENCE -> groupSequence = in.getInt();
            case HeaderTag.USER_ID -> userId = Utf8.decode(in);
            default -> {
                // Made by a newer client, or not for applications.
            }
        }
    }

    private static DuramenDestination readDestination(ByteBuffer in) {
        int kind = in.get();
        if (kind < 0 || kind >= KINDS.length || !in.hasRemaining()) {
            throw new MalformedFrameException(
                    "a reply destination of kind " + kind + " with a name of " + in.remaining() + " bytes");
        }
        return DuramenDestination.of(KINDS[kind], Utf8.decode(in.slice()));
    }

    /** @return as text: null where there is none, or where its bytes are not UTF-8 */
    String correlationIdText() {
        if (correlationIdBytes == null) {
            return correlationId;
        }
        try {
            return Utf8.decode(ByteBuffer.wrap(correlationIdBytes));
        } catch (MalformedFrameException e) {
            return null;
        }
    }

    /** @return as bytes: a copy of those that were set, else the text's in UTF-8 */
    byte[] correlationIdAsBytes() {
        if (correlationIdBytes != null) {
            return correlationIdBytes.clone();
        }
        return correlationId == null ? null : correlationId.getBytes(StandardCharsets.UTF_8);
    }
}
