package io.duramen.broker.destination;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Protocol;
import io.duramen.protocol.ProtocolException;
import java.nio.charset.StandardCharsets;

/** What a name may look like: 1 to 255 bytes of UTF-8 without control characters. */
public final class Names {
    /** Names of temporary destinations begin so, and no others. */
    public static final String TEMPORARY_PREFIX = "temp.";

    private Names() {}

    /** @throws ProtocolException with the code given where the name is not allowed */
    public static String check(String what, String name, ErrorCode code) {
        if (name == null || name.isEmpty()) {
            throw new ProtocolException(code, what + " is empty");
        }
        int length = name.getBytes(StandardCharsets.UTF_8).length;
        if (length > Protocol.NAME_LENGTH_MAX) {
            throw new ProtocolException(
                    code, what + " has " + length + " bytes; the limit is " + Protocol.NAME_LENGTH_MAX);
        }
        if (name.chars().anyMatch(Character::isISOControl)) {
            throw new ProtocolException(code, what + " has a control character");
        }
        return name;
    }
}
