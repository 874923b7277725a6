package io.duramen.broker.selector;

import java.math.BigInteger;
import org.antlr.v4.runtime.Token;

/** Reads numbers as Java does, but that a decimal too long for an int is a long without a suffix too. Any thread. */
final class NumberLiteral {
    private static final BigInteger INT_MAX = BigInteger.valueOf(Integer.MAX_VALUE);
    private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);
    private static final int INT_BITS = 32;
    private static final int LONG_BITS = 64;

    private NumberLiteral() {}

    /** @param negative whether a minus stands before it: the lowest number of a type has no positive counterpart */
    static Value integer(Token token, boolean negative) {
        String digits = token.getText().replace("_", "");
        boolean isLong = digits.endsWith("l") || digits.endsWith("L");
        if (isLong) {
            digits = digits.substring(0, digits.length() - 1);
        }
        int radix = radix(digits);
        BigInteger value = read(token, digits, radix);
        return radix == 10 ? decimal(token, value, isLong, negative) : pattern(token, value, isLong, negative);
    }

    private static int radix(String digits) {
        if (digits.length() < 2 || digits.charAt(0) != '0') {
            return 10;
        }
        return switch (digits.charAt(1)) {
            case 'x', 'X' -> 16;
            case 'b', 'B' -> 2;
            default -> 8;
        };
    }

    private static BigInteger read(Token token, String digits, int radix) {
        int prefix = switch (radix) {
            case 16, 2 -> 2;
            case 8 -> 1;
            default -> 0;
        };
        try {
            return new BigInteger(digits.substring(prefix), radix);
        } catch (NumberFormatException e) {
            throw InvalidSelector.at(token, "'" + token.getText() + "' begins with 0 but is no octal number");
        }
    }

    private static Value decimal(Token token, BigInteger magnitude, boolean isLong, boolean negative) {
        BigInteger one = negative ? BigInteger.ONE : BigInteger.ZERO;
        if (magnitude.compareTo(LONG_MAX.add(one)) > 0) {
            throw tooLarge(token, "a long");
        }
        long value = negative ? magnitude.negate().longValue() : magnitude.longValue();
        boolean isInt = !isLong && magnitude.compareTo(INT_MAX.add(one)) <= 0;
        return isInt ? new Value().setInt((int) value) : new Value().setLong(value);
    }

    /** Hexadecimal, octal and binary digits are the bits of the number, its sign among them. */
    private static Value pattern(Token token, BigInteger bits, boolean isLong, boolean negative) {
        if (bits.bitLength() > LONG_BITS) {
            throw tooLarge(token, "a long");
        }
        if (!isLong && bits.bitLength() <= INT_BITS) {
            return new Value().setInt(negative ? -bits.intValue() : bits.intValue());
        }
        return new Value().setLong(negative ? -bits.longValue() : bits.longValue());
    }

    static Value approximate(Token token, boolean negative) {
        String digits = token.getText().replace("_", "");
        char last = digits.charAt(digits.length() - 1);
        boolean isHexadecimal = digits.startsWith("0x") || digits.startsWith("0X");
        if (last == 'f' || last == 'F') {
            float value = Float.parseFloat(digits);
            check(token, Float.isInfinite(value), value == 0, isHexadecimal);
            return new Value().setFloat(negative ? -value : value);
        }
        double value = Double.parseDouble(digits);
        check(token, Double.isInfinite(value), value == 0, isHexadecimal);
        return new Value().setDouble(negative ? -value : value);
    }

    private static void check(Token token, boolean infinite, boolean zero, boolean isHexadecimal) {
        if (infinite) {
            throw tooLarge(token, "its type");
        }
        String mantissa = token.getText().split(isHexadecimal ? "[pP]" : "[eEfFdD]", 2)[0];
        boolean saysZero =
                mantissa.substring(isHexadecimal ? 2 : 0).chars().allMatch(c -> c == '0' || c == '.' || c == '_');
        if (zero && !saysZero) {
            throw InvalidSelector.at(token, "'" + token.getText() + "' is too small to differ from zero");
        }
    }

    private static RuntimeException tooLarge(Token token, String type) {
        return InvalidSelector.at(token, "'" + token.getText() + "' is too large for " + type);
    }
}
