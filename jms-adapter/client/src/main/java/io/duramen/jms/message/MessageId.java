package io.duramen.jms.message;

/**
 * Any thread. The text of a JMSMessageID: {@code ID:}, the producer as 16 hexadecimal digits, {@code -}, the number in
 * decimal (unsigned). So it is unique without asking the server, and is made only where somebody reads it.
 */
public record MessageId(long producer, long number) {
    private static final String PREFIX = "ID:";
    private static final int DASH_AT = PREFIX.length() + 16;

    /** @return null for the pair 0, 0, which stands for a message without id */
    public static String text(long producer, long number) {
        if (producer == 0 && number == 0) {
            return null;
        }
        StringBuilder text = new StringBuilder(DASH_AT + 12).append(PREFIX);
        for (int shift = 60; shift >= 0; shift -= 4) {
            text.append(Character.forDigit((int) (producer >>> shift) & 0xF, 16));
        }
        return text.append('-').append(Long.toUnsignedString(number)).toString();
    }

    /** @return null where the text was not made by {@link #text} */
    public static MessageId parse(String text) {
        if (text == null || text.length() < DASH_AT + 2 || !text.startsWith(PREFIX) || text.charAt(DASH_AT) != '-') {
            return null;
        }
        try {
            long producer = Long.parseUnsignedLong(text, PREFIX.length(), DASH_AT, 16);
            long number = Long.parseUnsignedLong(text, DASH_AT + 1, text.length(), 10);
            return text.equals(text(producer, number)) ? new MessageId(producer, number) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
