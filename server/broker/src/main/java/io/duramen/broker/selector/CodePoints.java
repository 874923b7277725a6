package io.duramen.broker.selector;

import java.nio.ByteBuffer;

/**
 * Characters of a UTF-8 text where it stands. Reads nothing outside of the text, whatever its bytes are: one that begins
 * no character is a character of its own, which no pattern can say. Any thread: holds nothing.
 */
final class CodePoints {
    private static final int MALFORMED = 0x110000;
    private static final int WIDTH_MAX = 4;

    private CodePoints() {}

    /** Bytes of the character that begins at {@code at}. */
    static int width(ByteBuffer in, int at, int end) {
        int lead = in.get(at) & 0xFF;
        int width = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1;
        if (at + width > end) {
            return 1;
        }
        for (int i = 1; i < width; i++) {
            if ((in.get(at + i) & 0xC0) != 0x80) {
                return 1;
            }
        }
        return width;
    }

    /** @param width what {@link #width} said */
    static int read(ByteBuffer in, int at, int width) {
        int lead = in.get(at) & 0xFF;
        return switch (width) {
            case 1 -> lead < 0x80 ? lead : MALFORMED + lead;
            case 2 -> (lead & 0x1F) << 6 | tail(in, at + 1);
            case 3 -> (lead & 0x0F) << 12 | tail(in, at + 1) << 6 | tail(in, at + 2);
            default -> (lead & 0x07) << 18 | tail(in, at + 1) << 12 | tail(in, at + 2) << 6 | tail(in, at + 3);
        };
    }

    private static int tail(ByteBuffer in, int at) {
        return in.get(at) & 0x3F;
    }

    /** Where the character that ends before {@code end} begins; {@code end} is beyond {@code start}. */
    static int before(ByteBuffer in, int start, int end) {
        // The widest first: the tail of a wide one, looked at alone, is a character of its own.
        int at = Math.max(start, end - WIDTH_MAX);
        while (at + width(in, at, end) != end) {
            at++;
        }
        return at;
    }

    /** Whether all of it is strict UTF-8. */
    static boolean isText(ByteBuffer in, int at, int length) {
        int end = at + length;
        for (int next = at; next < end; ) {
            int width = width(in, next, end);
            int character = read(in, next, width);
            boolean overlong = width == 3 && character < 0x800 || width == 4 && character < 0x10000;
            boolean half = character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
            if (overlong || half || character > Character.MAX_CODE_POINT) {
                return false;
            }
            next += width;
        }
        return true;
    }
}
