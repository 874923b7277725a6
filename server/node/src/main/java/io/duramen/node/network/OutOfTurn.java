package io.duramen.node.network;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Frame;
import io.duramen.protocol.ProtocolException;

/** What ends a conversation in which a client says what it may not say now. */
final class OutOfTurn {
    private OutOfTurn() {}

    /** A frame that comes after login only. */
    static ProtocolException notLoggedIn(Frame frame) {
        return new ProtocolException(
                ErrorCode.NOT_AUTHENTICATED, frame.api() + ": " + ErrorCode.NOT_AUTHENTICATED.meaning());
    }

    /** A frame that a client never sends, or not as this kind. */
    static ProtocolException of(Frame frame) {
        return new ProtocolException(
                ErrorCode.MALFORMED_FRAME, "a client sends no " + frame.api() + " as " + frame.kind());
    }
}
