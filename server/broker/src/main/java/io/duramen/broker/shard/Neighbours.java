package io.duramen.broker.shard;

import java.nio.ByteBuffer;

/**
 * The other shards, as one of them sees them: of a node that has them all, or of a cluster where other nodes may lead some
 * ({@link FarShards}). Those of a node are there for as long as this one, and may be spoken to from any thread. Those that are far come and go, and
 * are spoken to by the agent alone.
 */
public interface Neighbours {
    /** What a shard is told of others that are far. On the agent's thread, between two messages. */
    interface Meetings {
        /** From here on another shard hears what is said to it, until it is {@link #lost}. */
        void met(int shard);

        /** What was said to it and not answered may not have been heard, and no answer comes; it may be met again. */
        void lost(int shard);

        void heard(int shard, ShardMessage message);
    }

    /** How many shards there are, this one included; they are numbered from 0. */
    int shards();

    /** On how many nodes a shard is, this one or another; 0 where it is on a node by itself, or that is not known. */
    default int replicas(int shard) {
        return 0;
    }

    /**
     * Says something to another shard, behind all that this one has said to it before. Never blocks. It arrives once, unless
     * the node ends before; a shard that has stopped says so where an answer is due. Where the other one is far, it arrives once unless that is lost before,
     * and not at all where it was not met.
     */
    default void tell(int shard, ShardMessage message) {
        leave(shard, message);
        wake(shard);
    }

    /** As {@link #tell}, but a shard that sleeps need not notice before it is woken, by {@link #wake} or by others. */
    void leave(int shard, ShardMessage message);

    /** Has another shard look at what was left for it. Never blocks. */
    void wake(int shard);

    // ---- of those that are far -------------------------------------------------------------------------------------

    /** Whether other nodes may lead them. */
    default boolean areFar() {
        return false;
    }

    /** Starts a leadership: others are greeted from here on. */
    default void lead(long epoch, Meetings meetings) {}

    /** Whether so many of the nodes that another shard is on answer that one of them may lead it; true where they are not known. */
    default boolean mayBeLed(int shard) {
        return true;
    }

    /** Whether another shard is met now: else nobody hears what is said to it. */
    default boolean hears(int shard) {
        return true;
    }

    /** How often another shard was met: an answer that is due comes while that stays. */
    default long meetings(int shard) {
        return 0;
    }

    /**
     * Runs something once another shard has been handed all that was said to it so far, so that whatever is asked of it next comes behind. Where
     * it is lost first, once it was met again and has heard what was said to it then.
     */
    default void whenHeard(int shard, Runnable then) {
        then.run();
    }

    /** A frame of another node's shard has come. */
    default void hear(ByteBuffer frame) {}

    /** Sends what was said; the agent's last work of each turn. */
    default int doWork() {
        return 0;
    }

    default long deadlineNanos() {
        return Long.MAX_VALUE;
    }

    /** Of a shard that is alone in its node. */
    Neighbours NONE = new Neighbours() {
        @Override
        public int shards() {
            return 1;
        }

        @Override
        public void leave(int shard, ShardMessage message) {
            throw new IllegalStateException("there is no shard " + shard);
        }

        @Override
        public void wake(int shard) {
            throw new IllegalStateException("there is no shard " + shard);
        }
    };
}
