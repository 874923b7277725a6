package io.duramen.node.network;

import io.duramen.protocol.SpareBuffers;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import java.nio.ByteBuffer;

/** Bytes on their way out from where they are; their memory is given back once the transport is done with them. */
final class SpareBytes extends UnpooledDirectByteBuf {
    private final ByteBuffer bytes;

    /** @param bytes outside the heap, and nobody else's from here on */
    SpareBytes(ByteBufAllocator allocator, ByteBuffer bytes) {
        super(allocator, bytes, bytes.remaining());
        this.bytes = bytes;
    }

    @Override
    protected void deallocate() {
        super.deallocate();
        SpareBuffers.SHARED.give(bytes);
    }
}
