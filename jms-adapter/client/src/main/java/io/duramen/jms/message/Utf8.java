package io.duramen.jms.message;

import io.duramen.protocol.MalformedFrameException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Any thread: holds nothing. Strict UTF-8, into and out of buffers. A string with half of a surrogate pair has
 * no UTF-8 form that other readers accept, so it is refused at send rather than changed.
 */
final class Utf8 {
    /** Most bytes of one char. */
    static final int BYTES_MAX = 3;

    private static final int SHORT = 48;
    private static final char REPLACEMENT = '\uFFFD';

    private Utf8() {}

    /**
     * Appends the text without a length.
     *
     * @return bytes appended
     * @throws MessageFormatException for half of a surrogate pair; nothing was appended
     */
    static int put(String text, BatchBuffer out) throws JMSException {
        int length = text.length();
        if (length <= SHORT && putShortAscii(text, out.ensure(length))) {
            return length;
        }
        if (length > BatchBuffer.MAX_CAPACITY / 3) {
            throw new MessageTooLongException("a text of " + length + " characters cannot be sent");
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        checkNothingReplaced(text, bytes);
        out.ensure(bytes.length).put(bytes);
        return bytes.length;
    }

    /** Without an array in between, which is quicker for names and the like. */
    private static boolean putShortAscii(String text, ByteBuffer out) {
        if (!out.hasArray()) {
            return false;
        }
        byte[] bytes = out.array();
        int at = out.position();
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                return false;
            }
            bytes[at + i] = (byte) c;
        }
        out.position(at + length);
        return true;
    }

    /** getBytes puts a question mark for half of a pair: so there must be as many as the text itself has. */
    private static void checkNothingReplaced(String text, byte[] bytes) throws MessageFormatException {
        int marks = 0;
        for (byte b : bytes) {
            if (b == '?') {
                marks++;
            }
        }
        for (int at = text.indexOf('?'); marks > 0 && at >= 0; at = text.indexOf('?', at + 1)) {
            marks--;
        }
        if (marks > 0) {
            throw new MessageFormatException("character " + firstHalf(text)
                    + " of a text is half of a surrogate pair and cannot be sent; send it as bytes");
        }
    }

    private static int firstHalf(String text) {
        int at = 0;
        while (at < text.length() && !isSurrogate(text.codePointAt(at))) {
            at += Character.charCount(text.codePointAt(at));
        }
        return at;
    }

    private static boolean isSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
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
