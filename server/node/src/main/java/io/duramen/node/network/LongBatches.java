package io.duramen.node.network;

import io.duramen.protocol.Frame;
import io.duramen.protocol.SpareBuffers;
import io.duramen.protocol.frame.Publish;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The memory of the long batches of a connection that a shard has not decided about. Filled by the event loop, emptied by the
 * agents of the shards. What nobody takes is the collector's.
 */
final class LongBatches {
    private record Received(ByteBuffer batch, ByteBuffer memory) {}

    private final Queue<Received> received = new ConcurrentLinkedQueue<>();

    /** The event loop's: the frame that it is about to dispatch, and its bytes, position behind what was read. */
    private Frame arriving;

    private ByteBuffer arrivingBytes;

    void arrives(Frame frame, ByteBuffer bytes) {
        arriving = frame;
        arrivingBytes = bytes;
    }

    /** Whatever became of the frame that arrived: what was not handed over is the collector's. */
    void dispatched() {
        arriving = null;
        arrivingBytes = null;
    }

    /** The frame goes to a shard, which says when it has handled it. One that arrived long ago has to be copied. */
    void handing(Frame frame) {
        if (frame == arriving && arrivingBytes.isDirect() && frame.payload() instanceof Publish.Request publish) {
            ByteBuffer batch = publish.batch();
            int end = arrivingBytes.position();
            received.add(
                    new Received(batch, arrivingBytes.duplicate().limit(end).position(end - batch.remaining())));
        }
    }

    /** How many a shard has not decided about. */
    int count() {
        return received.size();
    }

    /** See {@link io.duramen.broker.shard.ClientConnection#memoryOf}. */
    Optional<ByteBuffer> take(ByteBuffer batch) {
        for (Iterator<Received> each = received.iterator(); each.hasNext(); ) {
            Received one = each.next();
            if (one.batch == batch) {
                each.remove();
                return Optional.of(one.memory);
            }
        }
        return Optional.empty();
    }

    /** See {@link io.duramen.broker.shard.ClientConnection#stored}. Of what is outside the heap, the batch alone tells too little. */
    static void stored(ByteBuffer batch) {
        if (!batch.isDirect()) {
            SpareBuffers.SHARED.give(batch);
        }
    }

    /** The frame has been decided: whoever takes its batch has done so. */
    void handled(Frame frame) {
        if (!received.isEmpty() && frame.payload() instanceof Publish.Request publish) {
            take(publish.batch());
        }
    }
}
