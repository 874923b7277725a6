package io.duramen.jms.link;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import java.nio.ByteBuffer;

/** Bytes of a request on their way out from where they are. Their owner is told once the transport is done with them. */
final class LentBytes extends UnpooledDirectByteBuf {
    private final Reply owner;

    /** @param bytes outside the heap */
    LentBytes(ByteBufAllocator allocator, ByteBuffer bytes, Reply owner) {
        super(allocator, bytes, bytes.remaining());
        this.owner = owner;
    }

    @Override
    protected void deallocate() {
        super.deallocate();
        owner.sent();
    }
}
