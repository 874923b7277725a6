package io.duramen.node.shard;

import io.duramen.broker.shard.ShardAgent;
import io.duramen.runtime.agent.Agent;

/**
 * A shard's agent together with what its state is kept in, which nobody else polls. Confined to the runner's thread. The
 * log polls and closes its own disk.
 */
final class ShardOnDisk implements Agent {
    private final ShardAgent shard;
    private final StateStore state;

    ShardOnDisk(ShardAgent shard, StateStore state) {
        this.shard = shard;
        this.state = state;
    }

    @Override
    public String name() {
        return shard.name();
    }

    @Override
    public int doWork() {
        return state.poll() + shard.doWork();
    }

    @Override
    public long deadlineNanos() {
        return shard.deadlineNanos();
    }

    @Override
    public void onClose() {
        try {
            shard.onClose();
        } finally {
            state.close();
        }
    }
}
