package io.duramen.protocol.frame;

import java.util.HexFormat;

/** Name of a half message: 128 random bits, chosen by its sender. */
public record HalfId(long high, long low) implements Comparable<HalfId> {
    private static final int DIGITS = 16;

    /** 32 hexadecimal digits. */
    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(high) + hex.toHexDigits(low);
    }

    /** @throws IllegalArgumentException where it is not what {@link #toString} gives */
    public static HalfId parse(String text) {
        if (text.length() != 2 * DIGITS) {
            throw new IllegalArgumentException("'" + text + "' is no id of a half message");
        }
        return new HalfId(
                HexFormat.fromHexDigitsToLong(text, 0, DIGITS),
                HexFormat.fromHexDigitsToLong(text, DIGITS, 2 * DIGITS));
    }

    @Override
    public int compareTo(HalfId other) {
        return high != other.high ? Long.compare(high, other.high) : Long.compare(low, other.low);
    }
}
