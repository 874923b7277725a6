package io.duramen.log;

/**
 * The CRC32C of bytes that stand one behind the other, from those of the two parts: without looking at the bytes, in a
 * microsecond. Stateless.
 *
 * <p>A CRC is what is left of the bytes, as a polynomial over GF(2), divided by {@link #POLYNOMIAL}. Bytes that follow multiply what
 * came before by x to the power of their bits. Bit 31 of an int is the coefficient of x^0, as in a CRC.
 */
final class JoinedCrc {
    private static final int POLYNOMIAL = 0x82F63B78;
    private static final int ONE = 1 << 31;
    private static final int X = 1 << 30;

    /** A byte is x^8, which is x^(2^3). */
    private static final int BYTE = 3;

    /** x^(2^i), modulo the polynomial. */
    private static final int[] SQUARES = squares();

    private JoinedCrc() {}

    /** @param secondLength bytes of the second part, not negative */
    static int of(int first, int second, int secondLength) {
        int shift = ONE;
        for (int i = 0; i < Integer.SIZE - 1; i++) {
            if ((secondLength >>> i & 1) != 0) {
                shift = product(SQUARES[BYTE + i], shift);
            }
        }
        return product(shift, first) ^ second;
    }

    private static int[] squares() {
        int[] squares = new int[BYTE + Integer.SIZE - 1];
        squares[0] = X;
        for (int i = 1; i < squares.length; i++) {
            squares[i] = product(squares[i - 1], squares[i - 1]);
        }
        return squares;
    }

    private static int product(int a, int b) {
        int product = 0;
        int shifted = b;
        for (int coefficient = ONE; coefficient != 0; coefficient >>>= 1) {
            if ((a & coefficient) != 0) {
                product ^= shifted;
            }
            shifted = (shifted & 1) != 0 ? shifted >>> 1 ^ POLYNOMIAL : shifted >>> 1;
        }
        return product;
    }
}
