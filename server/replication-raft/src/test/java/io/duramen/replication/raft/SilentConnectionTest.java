package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.rpc.InvokeCallback;
import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.PingRequest;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a connection that is asked over and silent is ended; time goes as the test says. */
class SilentConnectionTest {
    private static final int STEP_MILLIS = 20;
    private static final int ENOUGH_MILLIS = 5_000;

    private final RaftPeer self = new RaftPeer("one", "127.0.0.1", 1);
    private final RaftPeer other = new RaftPeer("two", "127.0.0.1", 2);
    private EmbeddedChannel channel;
    private PeerConnection connection;

    @BeforeEach
    void greet() {
        PeerNetworkConfig config = new PeerNetworkConfig("c", self, List.of(self, other), Optional.empty());
        connection =
                new PeerConnection(config, other, new PeerFrame.Decoder(), Runnable::run, new Refusals(), new Heard());
        channel = new EmbeddedChannel();
        channel.freezeTime();
        channel.pipeline().addLast(connection);
        channel.pipeline().fireChannelActive();
        channel.writeInbound(new Greeting("c", "two", "one", Introduction.Said.of("", ""), false).toFrame());
        assertThat(connection.isReady()).isTrue();
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void ask() throws Exception {
        connection.ask(PingRequest.newBuilder().setSendTimestamp(1).build(), new Unheard(), ENOUGH_MILLIS);
    }

    private void answer(long id) {
        byte[] content = ErrorResponse.newBuilder().setErrorCode(0).build().toByteArray();
        byte number =
                PeerMessage.of(ErrorResponse.getDefaultInstance()).orElseThrow().number();
        channel.writeInbound(new PeerFrame(PeerFrame.ANSWER, number, id, content));
    }

    private void pass(int millis) {
        for (int i = 0; i < millis / STEP_MILLIS; i++) {
            halt(STEP_MILLIS);
        }
    }

    /** That long this process does nothing; what is due then is done once. */
    private void halt(int millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void shouldEndWhereNothingIsAnsweredForLong() throws Exception {
        ask();
        pass(ENOUGH_MILLIS - STEP_MILLIS);
        assertThat(channel.isOpen()).isTrue();
        pass(STEP_MILLIS);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void shouldStayWhereNothingIsAsked() {
        pass(3 * ENOUGH_MILLIS);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void shouldCountAnewFromEachAnswer() throws Exception {
        for (int i = 1; i <= 4; i++) {
            ask();
            pass(ENOUGH_MILLIS - STEP_MILLIS);
            answer(i);
        }
        assertThat(channel.isOpen()).isTrue();
    }

    /** Goal: what was answered meanwhile is read before anything is concluded from the clock. */
    @Test
    void shouldNotCountTheTimeInWhichThisProcessWasHalted() throws Exception {
        ask();
        halt(100 * ENOUGH_MILLIS);
        assertThat(channel.isOpen()).isTrue();
    }

    private static final class Unheard implements InvokeCallback {
        @Override
        public void complete(Object answer, Throwable failure) {
            // What becomes of the connection tells.
        }

        @Override
        public Executor executor() {
            return Runnable::run;
        }
    }
}
