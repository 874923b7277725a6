package io.duramen.node.relay;

import io.duramen.broker.shard.ShardRequest;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Frame;
import io.duramen.protocol.ProtocolException;
import io.duramen.runtime.agent.Inbox;
import java.util.function.Consumer;

/**
 * Refuses whatever is asked of a shard by clients and operators, so that they learn of it at once and nothing piles up. Immutable, from any thread.
 *
 * @param reason for who asked
 */
public record Refusal(ErrorCode code, String reason) implements Inbox<ShardRequest> {
    @Override
    public void put(ShardRequest request) {
        if (request instanceof ShardRequest.FromClient from) {
            Frame frame = from.frame();
            if (frame.kind() == Frame.Kind.REQUEST) {
                from.connection().send(Frame.failure(frame.api(), frame.correlation(), code, reason));
            }
            from.connection().handled(frame);
        } else if (request instanceof ShardRequest.FromOperator<?> asked) {
            asked.answer().completeExceptionally(new ProtocolException(code, reason));
        }
    }

    /** Nothing sleeps here. */
    @Override
    public void wake() {}

    /** Nothing: what was put here is refused. */
    @Override
    public int drain(Consumer<? super ShardRequest> handler, int limit) {
        return 0;
    }

    @Override
    public boolean isEmpty() {
        return true;
    }
}
