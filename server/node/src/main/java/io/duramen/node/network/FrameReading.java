package io.duramen.node.network;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * What a connection's bytes are read into: a buffer as long as reads have lately been, but for what is left of a long frame,
 * which is read to its place. One for each connection; confined to its event loop.
 */
final class FrameReading implements RecvByteBufAllocator {
    private static final int LENGTH_MIN = 512;
    private static final int LENGTH_FIRST = 8 * 1024;
    private static final int LENGTH_MAX = 128 * 1024;

    private final RecvByteBufAllocator otherwise =
            new AdaptiveRecvByteBufAllocator(LENGTH_MIN, LENGTH_FIRST, LENGTH_MAX);
    private final FrameAssembler frames;

    FrameReading(FrameAssembler frames) {
        this.frames = frames;
    }

    @Override
    public ExtendedHandle newHandle() {
        return new Reading((ExtendedHandle) otherwise.newHandle());
    }

    private final class Reading extends DelegatingHandle implements ExtendedHandle {
        private final ExtendedHandle handle;

        Reading(ExtendedHandle handle) {
            super(handle);
            this.handle = handle;
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            ByteBuf room = frames.room(allocator);
            return room != null ? room : handle.allocate(allocator);
        }

        @Override
        public void reset(ChannelConfig config) {
            handle.reset(config);
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
            return handle.continueReading(maybeMore);
        }
    }
}
