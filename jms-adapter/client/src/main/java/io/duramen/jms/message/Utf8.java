package io.duramen.jms.message;

import io.duramen.protocol.MalformedFrameException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Any thread: holds nothing. Strict UTF-8, straight into and out of buffers. A string with half of a surrogate pair has
 * no UTF-8 form that other readers accept, so it is refused at send rather than changed.
 */
final class Utf8 {
    private static final char REPLACEMENT = '\uFFFD';

    private Utf8() {}

    /**
     * Appends the text without a length.
     *
     * @return bytes appended
     * @throws MessageFormatException for half of a surrogate pair; what was appended before it stays
     */
    static int put(String text, BatchBuffer out) throws JMSException {
        int length = text.length();
        ByteBuffer buffer = out.ensure(length);
        byte[] bytes = buffer.array();
        int start = buffer.position();
        int i = 0;
        for (; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                break;
            }
            bytes[start + i] = (byte) c;
        }
        buffer.position(start + i);
        if (i < length) {
            putRest(text, i, out);
        }
        return out.length() - start;
    }

    private static void putRest(String text, int from, BatchBuffer out) throws JMSException {
        int length = text.length();
        if (length - from > Integer.MAX_VALUE / 3) {
            throw new MessageTooLongException("a text of " + length + " characters cannot be sent");
        }
        ByteBuffer buffer = out.ensure(3 * (length - from));
        byte[] bytes = buffer.array();
        int at = buffer.position();
        for (int i = from; i < length; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes[at++] = (byte) c;
            } else if (c < 0x800) {
                bytes[at++] = (byte) (0xC0 | c >> 6);
                bytes[at++] = (byte) (0x80 | c & 0x3F);
            } else if (!Character.isSurrogate(c)) {
                bytes[at++] = (byte) (0xE0 | c >> 12);
                bytes[at++] = (byte) (0x80 | c >> 6 & 0x3F);
                bytes[at++] = (byte) (0x80 | c & 0x3F);
            } else {
                int codePoint = pair(text, i++);
                bytes[at++] = (byte) (0xF0 | codePoint >> 18);
                bytes[at++] = (byte) (0x80 | codePoint >> 12 & 0x3F);
                bytes[at++] = (byte) (0x80 | codePoint >> 6 & 0x3F);
                bytes[at++] = (byte) (0x80 | codePoint & 0x3F);
            }
        }
        buffer.position(at);
    }

    private static int pair(String text, int at) throws MessageFormatException {
        int codePoint = text.codePointAt(at);
        if (!Character.isSupplementaryCodePoint(codePoint)) {
            throw new MessageFormatException("character " + at + " of a text is half of a surrogate pair ("
                    + Integer.toHexString(codePoint) + ") and cannot be sent; send it as bytes");
        }
        return codePoint;
    }

    /**
     * @return the text in {@code length} bytes at the buffer's position, which moves behind them
     * @throws MalformedFrameException where there are fewer, or they are not UTF-8
     */
    static String read(ByteBuffer in, int length) {
        if (length < 0 || length > in.remaining()) {
            throw new MalformedFrameException("a text of " + length + " bytes where " + in.remaining() + " are left");
        }
        ByteBuffer slice = in.slice(in.position(), length);
        in.position(in.position() + length);
        return decode(slice);
    }

    /** @throws MalformedFrameException where the remaining bytes are not UTF-8 */
    static String decode(ByteBuffer in) {
        if (!in.hasArray()) {
            return decodeStrictly(in);
        }
        String text = new String(in.array(), in.arrayOffset() + in.position(), in.remaining(), StandardCharsets.UTF_8);
        // The quick way puts a replacement character for what it cannot read: only then look closer.
        return text.indexOf(REPLACEMENT) < 0 ? text : decodeStrictly(in);
    }

    private static String decodeStrictly(ByteBuffer in) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(in.duplicate()).toString();
        } catch (CharacterCodingException e) {
            throw new MalformedFrameException("a text is not UTF-8");
        }
    }
}
