package io.duramen.runtime.settings;

/**
 * A number of bytes.
 *
 * @param count not negative
 */
public record Bytes(long count) implements Comparable<Bytes> {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

    public Bytes {
        if (count < 0) {
            throw new IllegalArgumentException("a number of bytes is " + count);
        }
    }

    public static Bytes ofMebi(long mebibytes) {
        return new Bytes(Math.multiplyExact(mebibytes, 1L << 20));
    }

    /**
     * Reads {@code 512}, {@code 512B}, {@code 64KiB}, {@code 1MiB}, {@code 2GiB}, {@code 1TiB}.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static Bytes parse(String text) {
        String trimmed = text.trim();
        for (int unit = UNITS.length - 1; unit >= 0; unit--) {
            if (trimmed.endsWith(UNITS[unit])) {
                String number = trimmed.substring(0, trimmed.length() - UNITS[unit].length())
                        .trim();
                return new Bytes(Math.multiplyExact(number(number, text), 1L << (10 * unit)));
            }
        }
        return new Bytes(number(trimmed, text));
    }

    private static long number(String digits, String text) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a size such as 512, 64KiB, 1MiB or 2GiB", e);
        }
    }

    /** @throws ArithmeticException where the number is beyond an int */
    public int toIntExact() {
        return Math.toIntExact(count);
    }

    @Override
    public int compareTo(Bytes other) {
        return Long.compare(count, other.count);
    }

    @Override
    public String toString() {
        int unit = 0;
        long value = count;
        while (unit < UNITS.length - 1 && value != 0 && value % 1024 == 0) {
            value /= 1024;
            unit++;
        }
        return unit == 0 ? Long.toString(value) : value + UNITS[unit];
    }
}
