package io.duramen.node.network;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import java.util.concurrent.TimeUnit;

/**
 * Closes a channel after its last words. A socket that is closed while unread bytes wait in it is reset, and the reset
 * may overtake what was written last: so only the way out is closed, and what still comes in is read and dropped until
 * the peer closes, too, or time is up.
 */
final class Farewell {
    private Farewell() {}

    /** Runs on the channel's event loop. Everything has been written, though not sent. */
    static void close(Channel channel, long lingerMillis) {
        if (!channel.isActive()) {
            channel.close();
            return;
        }
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> {
            if (written.isSuccess() && channel instanceof DuplexChannel duplex) {
                duplex.shutdownOutput();
                channel.config().setAutoRead(true);
            } else {
                channel.close();
            }
        });
        // Whatever becomes of that, the channel does not stay.
        var last = channel.eventLoop().schedule((Runnable) channel::close, lingerMillis, TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener((ChannelFutureListener) closed -> last.cancel(false));
    }
}
