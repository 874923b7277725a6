package io.duramen.broker.selector;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The text of a JMSMessageID, as clients make it out of the two numbers in the record: {@code ID:}, the producer as 16
 * hexadecimal digits, {@code -}, the number in decimal (unsigned). Any thread: holds nothing.
 */
public final class MessageIdText {
    /** Three and sixteen characters, a dash, and the twenty digits of the largest unsigned long. */
    static final int LENGTH_MAX = 40;

    private static final int DASH_AT = 19;

    private MessageIdText() {}

    /** The text. */
    public static String of(long producer, long number) {
        ByteBuffer out = ByteBuffer.allocate(LENGTH_MAX);
        return new String(out.array(), 0, write(producer, number, out), StandardCharsets.US_ASCII);
    }

    /** @return bytes written from the buffer's beginning on */
    static int write(long producer, long number, ByteBuffer out) {
        out.put(0, (byte) 'I').put(1, (byte) 'D').put(2, (byte) ':');
        for (int i = 0; i < 16; i++) {
            int digit = (int) (producer >>> (60 - 4 * i)) & 0xF;
            out.put(3 + i, (byte) (digit < 10 ? '0' + digit : 'a' + digit - 10));
        }
        out.put(DASH_AT, (byte) '-');
        int digits = 1;
        for (long rest = number; Long.compareUnsigned(rest, 9) > 0; rest = Long.divideUnsigned(rest, 10)) {
            digits++;
        }
        long rest = number;
        for (int i = DASH_AT + digits; i > DASH_AT; i--) {
            out.put(i, (byte) ('0' + Long.remainderUnsigned(rest, 10)));
            rest = Long.divideUnsigned(rest, 10);
        }
        return DASH_AT + 1 + digits;
    }
}
