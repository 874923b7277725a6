package io.duramen.broker.shard;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Frame;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Failure;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * An operator where a decision expects a client: it may do what an admin may, hands on messages of others, and has its answer
 * completed. Used by the agent.
 */
record OperatorConnection(CompletableFuture<Boolean> answer) implements ClientConnection {
    @Override
    public long id() {
        return 0;
    }

    @Override
    public String user() {
        return "";
    }

    @Override
    public boolean isAdmin() {
        return true;
    }

    @Override
    public boolean handsOn() {
        return true;
    }

    @Override
    public Optional<String> clientId() {
        return Optional.empty();
    }

    @Override
    public void send(Frame frame) {
        if (frame.payload() instanceof Failure failure) {
            answer.completeExceptionally(new ProtocolException(ErrorCode.of(failure.code()), failure.detail()));
        } else {
            answer.complete(true);
        }
    }

    @Override
    public void handled(Frame frame) {
        // Nothing of it waits in an inbox.
    }
}
