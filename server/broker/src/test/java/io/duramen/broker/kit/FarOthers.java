package io.duramen.broker.kit;

import io.duramen.broker.shard.FarShards;
import io.duramen.broker.shard.Neighbours;
import io.duramen.broker.shard.ShardMessage;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Shards that are far, and a test that listens to what is said to them. */
record FarOthers(FarShards far, Consumer<ShardMessage> said) implements Neighbours {
    @Override
    public int shards() {
        return far.shards();
    }

    @Override
    public void leave(int shard, ShardMessage message) {
        if (far.hears(shard)) {
            said.accept(message);
        }
        far.leave(shard, message);
    }

    @Override
    public void wake(int shard) {
        far.wake(shard);
    }

    @Override
    public boolean areFar() {
        return true;
    }

    @Override
    public void lead(long epoch, Meetings meetings) {
        far.lead(epoch, meetings);
    }

    @Override
    public boolean hears(int shard) {
        return far.hears(shard);
    }

    @Override
    public long meetings(int shard) {
        return far.meetings(shard);
    }

    @Override
    public void whenHeard(int shard, Runnable then) {
        far.whenHeard(shard, then);
    }

    @Override
    public void hear(ByteBuffer frame) {
        far.hear(frame);
    }

    @Override
    public int doWork() {
        return far.doWork();
    }

    @Override
    public long deadlineNanos() {
        return far.deadlineNanos();
    }
}
