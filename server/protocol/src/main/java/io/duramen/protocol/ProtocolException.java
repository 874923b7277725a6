package io.duramen.protocol;

import java.util.Objects;

/**
 * A request or frame that is refused, with the code that travels back. Unchecked: it is thrown where something is
 * refused and caught in the one place of each side that answers.
 */
public class ProtocolException extends RuntimeException {
    private final ErrorCode code;

    /**
     * @param detail names the thing and the limit, for the one who asked; never holds a secret
     */
    public ProtocolException(ErrorCode code, String detail) {
        super(detail);
        this.code = Objects.requireNonNull(code);
    }

    public final ErrorCode code() {
        return code;
    }

    @Override
    public String toString() {
        return code + ": " + getMessage();
    }
}
