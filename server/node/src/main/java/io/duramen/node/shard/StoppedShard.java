package io.duramen.node.shard;

import io.duramen.broker.shard.ShardPlace;
import io.duramen.broker.shard.ShardRequest;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Frame;
import io.duramen.protocol.ProtocolException;
import io.duramen.runtime.agent.Agent;
import io.duramen.runtime.agent.Inbox;

/**
 * Stands in for a shard whose agent broke: refuses whatever is asked, so that clients learn of it at once and nothing
 * piles up. Confined to the runner's thread.
 */
final class StoppedShard implements Agent {
    private static final int REQUESTS_PER_CYCLE_MAX = 256;

    private final ShardPlace place;
    private final Inbox<ShardRequest> inbox;

    StoppedShard(ShardPlace place, Inbox<ShardRequest> inbox) {
        this.place = place;
        this.inbox = inbox;
    }

    @Override
    public String name() {
        return "shard-" + place.shard();
    }

    @Override
    public int doWork() {
        return inbox.drain(this::refuse, REQUESTS_PER_CYCLE_MAX);
    }

    @Override
    public long deadlineNanos() {
        return Long.MAX_VALUE;
    }

    @Override
    public void onClose() {
        // It has nothing.
    }

    private void refuse(ShardRequest request) {
        if (request instanceof ShardRequest.FromClient from) {
            Frame frame = from.frame();
            if (frame.kind() == Frame.Kind.REQUEST) {
                from.connection()
                        .send(Frame.failure(
                                frame.api(),
                                frame.correlation(),
                                ErrorCode.SHARD_STOPPED,
                                name() + " met an error; the node's log has the details"));
            }
            from.connection().handled(frame);
        } else if (request instanceof ShardRequest.FromOperator<?> asked) {
            asked.answer()
                    .completeExceptionally(new ProtocolException(
                            ErrorCode.SHARD_STOPPED, name() + " met an error; the node's log has the details"));
        } else if (request instanceof ShardRequest.FromShard said) {
            said.message().refused().ifPresent(answer -> place.others().tell(said.from(), answer));
        }
    }
}
