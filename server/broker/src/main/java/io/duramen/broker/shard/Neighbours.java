package io.duramen.broker.shard;

/** The shards of a node, as one of them sees them. Any thread. */
public interface Neighbours {
    /** How many shards the node has, this one included; they are numbered from 0. */
    int shards();

    /**
     * Says something to another shard, behind all that this one has said to it before. Never blocks. It arrives once, unless
     * the node ends before; a shard that has stopped says so where an answer is due.
     */
    default void tell(int shard, ShardMessage message) {
        leave(shard, message);
        wake(shard);
    }

    /** As {@link #tell}, but a shard that sleeps need not notice before it is woken, by {@link #wake} or by others. */
    void leave(int shard, ShardMessage message);

    /** Has another shard look at what was left for it. Never blocks. */
    void wake(int shard);

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
