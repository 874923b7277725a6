package io.duramen.protocol.frame;

/** Gives up a large body of which parts were stored and that no message has named. One that is not there is no error. */
public interface DropBody {
    /** The name's two numbers, see {@link io.duramen.protocol.record.BodyName}. */
    record Request(int shard, long nameHigh, long nameLow) implements ForShard {}

    record Response() {}
}
