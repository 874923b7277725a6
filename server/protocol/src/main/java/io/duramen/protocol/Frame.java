package io.duramen.protocol;

import io.duramen.protocol.frame.Failure;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * One unit on the wire:
 *
 * <pre>
 *   0        4      6      7      8              16
 *   | length | api  | kind | zero | correlation  | payload …
 *   length counts from behind itself (12 + payload); correlation pairs a response or failure with its request and is 0
 *   in a push.
 * </pre>
 *
 * @param payload a record of {@link Api#type}
 */
public record Frame(Api api, Kind kind, long correlation, Record payload) {
    /** Bytes before the payload, the length field included. */
    public static final int HEADER_LENGTH = 16;

    /** Bytes of the length field. */
    public static final int LENGTH_FIELD_LENGTH = 4;

    /** The roles of a frame; the ordinal travels. */
    public enum Kind {
        REQUEST,
        RESPONSE,
        FAILURE,
        PUSH;

        private static final Kind[] VALUES = values();
    }

    public static Frame request(long correlation, Record payload) {
        return new Frame(Api.of(payload.getClass()), Kind.REQUEST, correlation, payload);
    }

    public static Frame response(Api api, long correlation, Record payload) {
        return new Frame(api, Kind.RESPONSE, correlation, payload);
    }

    public static Frame failure(Api api, long correlation, ErrorCode code, String detail) {
        return new Frame(api, Kind.FAILURE, correlation, new Failure(code.number(), detail));
    }

    public static Frame push(Record payload) {
        return new Frame(Api.of(payload.getClass()), Kind.PUSH, 0, payload);
    }

    /** Bytes of the whole frame, the length field included. */
    public int size(int version) {
        return Math.addExact(HEADER_LENGTH, Codec.sizeOf(payload, version));
    }

    /** Writes the whole frame, the length field included; {@code size} as {@link #size} told. */
    public void write(int version, int size, ByteBuffer out) {
        writeHeader(size, out);
        Codec.write(payload, version, out);
    }

    /**
     * The byte region that the frame ends with, as it stands in the payload, not a copy: what is long can be sent from where it
     * is, behind {@link #writeHead}. Empty where the frame ends with something else.
     */
    public Optional<ByteBuffer> lastBytes(int version) {
        return Optional.ofNullable(Codec.lastBytes(payload, version));
    }

    /** As {@link #write}, for a frame that has {@link #lastBytes}: all that stands before them. */
    public void writeHead(int version, int size, ByteBuffer out) {
        writeHeader(size, out);
        Codec.writeHead(payload, version, out);
    }

    private void writeHeader(int size, ByteBuffer out) {
        out.putInt(size - LENGTH_FIELD_LENGTH);
        out.putShort((short) api.number());
        out.put((byte) kind.ordinal());
        out.put((byte) 0);
        out.putLong(correlation);
    }

    /**
     * Reads a frame from behind its length field. Byte regions in it are slices of {@code in}, which must not be reused.
     *
     * @param in from the api field to the frame's end, exactly
     * @throws MalformedFrameException where the bytes are no frame
     */
    public static Frame read(int version, ByteBuffer in) {
        if (in.remaining() < HEADER_LENGTH - LENGTH_FIELD_LENGTH) {
            throw new MalformedFrameException("a frame of " + in.remaining() + " bytes is shorter than its header");
        }
        Api api = Api.of(in.getShort() & 0xFFFF);
        int kind = in.get() & 0xFF;
        in.get();
        long correlation = in.getLong();
        if (kind >= Kind.VALUES.length) {
            throw new MalformedFrameException("no frame kind " + kind);
        }
        return new Frame(api, Kind.VALUES[kind], correlation, Codec.read(api.type(Kind.VALUES[kind]), version, in));
    }
}
