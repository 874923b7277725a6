package io.duramen.broker.shard;

import io.duramen.protocol.Api;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Frame;
import io.duramen.protocol.ProtocolException;

/** Where the answer to one request goes. Exactly one of its methods is called, once. */
record Reply(ClientConnection connection, Api api, long correlation, boolean awaited) {
    static Reply to(ClientConnection connection, Frame request) {
        return new Reply(connection, request.api(), request.correlation(), true);
    }

    /** The same for a request whose success nobody waits for. */
    Reply unawaited() {
        return new Reply(connection, api, correlation, false);
    }

    void succeed(Record response) {
        Frame answer = Frame.response(api, correlation, response);
        if (awaited) {
            connection.send(answer);
        } else {
            connection.sendLater(answer);
        }
    }

    void fail(ErrorCode code, String detail) {
        connection.send(Frame.failure(api, correlation, code, detail));
    }

    void fail(ProtocolException refusal) {
        fail(refusal.code(), refusal.getMessage());
    }
}
