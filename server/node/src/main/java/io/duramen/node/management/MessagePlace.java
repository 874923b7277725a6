package io.duramen.node.management;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a message is, as operators write it: {@code PARTITION:OFFSET}. Immutable. */
record MessagePlace(int partition, long offset) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9}):(\\d{1,18})");

    static String text(int partition, long offset) {
        return partition + ":" + offset;
    }

    /** @throws ProtocolException where the text is none */
    static MessagePlace parse(String text) {
        Matcher parts = FORM.matcher(Text.orEmpty(text));
        if (!parts.matches()) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST, "'" + text + "' is no message id: PARTITION:OFFSET, as 12:345");
        }
        return new MessagePlace(Integer.parseInt(parts.group(1)), Long.parseLong(parts.group(2)));
    }

    @Override
    public String toString() {
        return text(partition, offset);
    }
}
