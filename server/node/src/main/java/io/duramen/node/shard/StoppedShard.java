package io.duramen.node.shard;

import io.duramen.broker.shard.ShardPlace;
import io.duramen.broker.shard.ShardRequest;
import io.duramen.node.relay.Refusal;
import io.duramen.protocol.ErrorCode;
import io.duramen.runtime.agent.Agent;
import io.duramen.runtime.agent.Inbox;

/**
 * Stands in for a shard that nobody works for: refuses whatever is asked, so that clients learn of it at once and nothing
 * piles up. Confined to the runner's thread.
 */
final class StoppedShard implements Agent {
    private static final int REQUESTS_PER_CYCLE_MAX = 256;

    private final ShardPlace place;
    private final Inbox<ShardRequest> inbox;
    private final Refusal refusal;

    private StoppedShard(ShardPlace place, Inbox<ShardRequest> inbox, ErrorCode code, String reason) {
        this.place = place;
        this.inbox = inbox;
        this.refusal = new Refusal(code, reason);
    }

    /** For one whose agent broke. */
    static StoppedShard broken(ShardPlace place, Inbox<ShardRequest> inbox) {
        return new StoppedShard(
                place,
                inbox,
                ErrorCode.SHARD_STOPPED,
                "shard-" + place.shard() + " met an error; the node's log has the details");
    }

    /** For one that another node may lead by now. */
    static StoppedShard deposed(ShardPlace place, Inbox<ShardRequest> inbox) {
        return new StoppedShard(
                place, inbox, ErrorCode.NOT_LEADER, "shard-" + place.shard() + " is not led by this node any more");
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
        if (request instanceof ShardRequest.FromShard said) {
            said.message().refused().ifPresent(answer -> place.others().tell(said.from(), answer));
        } else {
            refusal.put(request);
        }
    }
}
