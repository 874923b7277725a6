package io.duramen.node.shard;

import io.duramen.broker.shard.ShardAgent;
import io.duramen.runtime.agent.Agent;
import io.duramen.runtime.disk.Disk;

/**
 * A shard's agent together with the disk of its images, which nobody else polls. Confined to the runner's thread. The
 * log polls and closes its own disk.
 */
final class ShardOnDisk implements Agent {
    private final ShardAgent shard;
    private final Disk images;

    ShardOnDisk(ShardAgent shard, Disk images) {
        this.shard = shard;
        this.images = images;
    }

    @Override
    public String name() {
        return shard.name();
    }

    @Override
    public int doWork() {
        return images.poll() + shard.doWork();
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
            images.close();
        }
    }
}
