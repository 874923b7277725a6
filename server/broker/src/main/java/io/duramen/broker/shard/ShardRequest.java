package io.duramen.broker.shard;

import io.duramen.protocol.Frame;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** What the network and other shards hand to a shard, through its inbox. */
public sealed interface ShardRequest {
    /** A request or push of an authenticated client. */
    record FromClient(ClientConnection connection, Frame frame) implements ShardRequest {}

    /**
     * A connection ended; nothing of it follows.
     *
     * @param clean whether the client said Close before; otherwise it may come back for its temporary destinations
     */
    record Disconnected(ClientConnection connection, boolean clean) implements ShardRequest {}

    /**
     * An operator of this process asks.
     *
     * @param answer completed by the agent, exceptionally with a {@link io.duramen.protocol.ProtocolException} where the request
     *     is refused; never where the node closes before, or the shard leads no more
     */
    record FromOperator<A>(OperatorRequest<A> request, CompletableFuture<A> answer) implements ShardRequest {}

    /** Another shard of the node says something. */
    record FromShard(int from, ShardMessage message) implements ShardRequest {}

    /**
     * Another shard says something, or greets, where leaders are on several nodes, see {@link FarShards}.
     *
     * @param frame the shard's from here on
     */
    record FromAfar(ByteBuffer frame) implements ShardRequest {}
}
