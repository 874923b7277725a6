package io.duramen.protocol;

/** Bytes that are not the frame, batch or record they claim to be. Nothing was allocated from the lengths they state. */
public final class MalformedFrameException extends ProtocolException {
    public MalformedFrameException(String detail) {
        super(ErrorCode.MALFORMED_FRAME, detail);
    }
}
