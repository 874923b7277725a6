package io.duramen.broker.shard;

/** The shards of a node, as one of them sees them. Any thread. */
public interface Neighbours {
    /** How many shards the node has, this one included; they are numbered from 0. */
    int shards();

    /**
     * Says something to another shard, behind all that this one has said to it before. Never blocks. It arrives once, unless
     * the node ends before; a shard that has stopped says so where an answer is due.
     */
    void tell(int shard, ShardMessage message);

    /** Of a shard that is alone in its node. */
    Neighbours NONE = new Neighbours() {
        @Override
        public int shards() {
            return 1;
        }

        @Override
        public void tell(int shard, ShardMessage message) {
            throw new IllegalStateException("there is no shard " + shard);
        }
    };
}
