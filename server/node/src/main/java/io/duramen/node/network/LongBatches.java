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

    /** @param bytes of the frame, position behind what was read */
    void received(Frame frame, ByteBuffer bytes) {
        if (bytes.isDirect() && frame.payload() instanceof Publish.Request publish) {
            ByteBuffer batch = publish.batch();
            int end = bytes.position();
            received.add(new Received(batch, bytes.duplicate().limit(end).position(end - batch.remaining())));
        }
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
