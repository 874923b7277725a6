package io.duramen.broker.shard;

import io.duramen.protocol.Frame;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A client as the shards see it: where answers and deliveries go. One object for the life of a connection. */
public interface ClientConnection {
    /** Unique in the process for its life, and higher than those of all connections that came before; for logs and as a key. */
    long id();

    /** The authenticated user. */
    String user();

    /** Whether the user may do what concerns others. */
    boolean isAdmin();

    /** Whether what it brings are messages that the broker has had before: they name the users that they named then. */
    default boolean handsOn() {
        return false;
    }

    /** The client id, where one was claimed. */
    Optional<String> clientId();

    /**
     * Puts a frame behind all others for this client. From any thread, never blocking; frames of one thread keep their
     * order. What waits is bounded by the credit and the requests in flight that the client has. Dropped where the
     * connection is gone.
     *
     * @param frame deliveries in it, and whatever of it is outside the heap, are the connection's alone from here on: it may use
     *     their memory anew
     */
    void send(Frame frame);

    /** As {@link #send}, but it may wait a moment for something to travel with: nobody waits for it. */
    default void sendLater(Frame frame) {
        send(frame);
    }

    /** Has it end, since the same client is back on another connection. From any thread; does not wait. */
    default void supersede() {}

    /**
     * Tells that a frame handed in by {@link ShardRequest.FromClient} has been decided and no longer waits in the inbox.
     * Called once for each, by the agent; the network reads no more from a client of which too much waits.
     */
    void handled(Frame frame);

    /**
     * Tells that the log has what a request of this client brought: nobody reads these bytes any more. Called by the agent, once
     * at most for each request, and never for one whose bytes may be needed again.
     *
     * @param batch as it stood in the request
     */
    default void stored(ByteBuffer batch) {}

    /**
     * The memory outside the heap in which a batch of this client stands, to be had once, and until the request is
     * {@link #handled}: it is the caller's from here on, what stands before the batch as well, which may be overwritten.
     * {@link #stored} is not called for it then.
     *
     * @param batch as it stands in the request
     * @return position and limit enclose the batch; empty where it stands elsewhere
     */
    default Optional<ByteBuffer> memoryOf(ByteBuffer batch) {
        return Optional.empty();
    }
}
