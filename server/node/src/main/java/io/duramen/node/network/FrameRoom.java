package io.duramen.node.network;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Room in a frame that is not whole yet, for the transport to read into. Its memory is the frame's. */
final class FrameRoom extends UnpooledDirectByteBuf {
    private final Consumer<FrameRoom> onRelease;

    /** @param room outside the heap, as many bytes as remain in it */
    FrameRoom(ByteBufAllocator allocator, ByteBuffer room, Consumer<FrameRoom> onRelease) {
        super(allocator, room, room.remaining());
        this.onRelease = onRelease;
        clear();
    }

    @Override
    protected void deallocate() {
        super.deallocate();
        onRelease.accept(this);
    }
}
