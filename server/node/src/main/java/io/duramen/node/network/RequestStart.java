package io.duramen.node.network;

import io.duramen.protocol.Api;
import io.duramen.protocol.Frame;
import io.duramen.protocol.MalformedFrameException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/** Which request it is that cannot be read or is too long. A Close with correlation 0 stands for the connection as such. */
record RequestStart(Api api, long correlation) {
    private static final RequestStart NONE = new RequestStart(Api.CLOSE, 0);

    /** @param bytes of the frame from behind its length field, as many as there are */
    static RequestStart of(ByteBuffer bytes) {
        try {
            Api api = Api.of(bytes.getShort() & 0xFFFF);
            boolean isRequest = bytes.get() == Frame.Kind.REQUEST.ordinal();
            bytes.get();
            long correlation = bytes.getLong();
            api.type(Frame.Kind.FAILURE);
            return isRequest ? new RequestStart(api, correlation) : NONE;
        } catch (MalformedFrameException | BufferUnderflowException e) {
            return NONE; // not even the header can be read
        }
    }
}
