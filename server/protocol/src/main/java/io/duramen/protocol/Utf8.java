package io.duramen.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Strict UTF-8: bytes that are not well-formed are refused, never replaced. Stateless. */
final class Utf8 {
    /** What a lenient decoder puts in place of bytes that are not well-formed. */
    private static final char REPLACEMENT = '\uFFFD';

    private Utf8() {}

    static byte[] encode(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Bytes that {@link #encode} makes of the text, without making them.
     *
     * @throws ArithmeticException where they are more than an int counts
     */
    static int length(String text) {
        long length = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                continue;
            }
            if (c < 0x800) {
                length += 1;
            } else if (!Character.isSurrogate(c)) {
                length += 2;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                length += 2; // four bytes for a pair
                i++;
            }
        }
        return Math.toIntExact(length);
    }

    /** @throws MalformedFrameException where the bytes are not UTF-8 */
    static String decode(ByteBuffer bytes) {
        String text;
        if (bytes.hasArray()) {
            text = new String(
                    bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining(), StandardCharsets.UTF_8);
        } else {
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(bytes.position(), copy);
            text = new String(copy, StandardCharsets.UTF_8);
        }
        return text.indexOf(REPLACEMENT) < 0 ? text : decodeStrictly(bytes);
    }

    /** The slow way, for what holds a replacement character: as sent, or put there by the lenient decoder. */
    private static String decodeStrictly(ByteBuffer bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate()).toString();
        } catch (CharacterCodingException e) {
            throw new MalformedFrameException("string is not UTF-8");
        }
    }
}
