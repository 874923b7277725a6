package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.InvokeCallback;
import com.alipay.sofa.jraft.rpc.RpcRequests.PingRequest;
import com.alipay.sofa.jraft.util.Endpoint;
import io.duramen.runtime.ports.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections to a node that greets, and from then on says nothing. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MutePeerTest {
    private static final int PATIENCE_MILLIS = 20_000;
    private static final PingRequest PING =
            PingRequest.newBuilder().setSendTimestamp(1).build();

    private RaftPeer self;
    private Endpoint mute;
    private ServerSocket listener;
    private PeerNetwork network;

    @BeforeEach
    void open() throws IOException {
        int port = FreePorts.inARow(2);
        self = new RaftPeer("one", "127.0.0.1", port);
        RaftPeer other = new RaftPeer("two", "127.0.0.1", port + 1);
        mute = other.toEngine().getEndpoint();
        listener = new ServerSocket(other.port(), 1, InetAddress.getLoopbackAddress());
        network = PeerNetwork.open(new PeerNetworkConfig("c", self, List.of(self, other), Optional.empty()));
    }

    @AfterEach
    void close() throws IOException {
        network.close();
        listener.close();
    }

    private Socket accept() throws IOException {
        Socket accepted = listener.accept();
        accepted.setSoTimeout(PATIENCE_MILLIS);
        PeerNetworkTest.send(
                accepted, new Greeting("c", "two", self.name(), Introduction.Said.of("", ""), false).toFrame());
        return accepted;
    }

    /** Goal: who still has a connection that the other side knows nothing of any more does not ask over it for ever. */
    @Test
    void shouldBeLeftForAnotherConnection() throws Exception {
        try (Socket first = accept()) {
            assertThatThrownBy(() -> network.client().invokeSync(mute, PING, 50))
                    .isInstanceOf(RemotingException.class);
            assertThat(PeerNetworkTest.restOf(first)).isPositive();
        }
        accept().close();
    }

    /** Goal: nothing stays open, even where an event loop is busy when it is told to end. */
    @Test
    void shouldBeHungUpOnBeforeTheNetworkHasEnded() throws Exception {
        CountDownLatch ending = new CountDownLatch(1);
        try (Socket accepted = accept()) {
            keepBusyUntil(ending);
            Thread closer = new Thread(network::close);
            closer.start();
            while (closer.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            ending.countDown();
            closer.join();

            assertThat(PeerNetworkTest.restOf(accepted)).isPositive();
        }
        new ServerSocket(self.port(), 1, InetAddress.getLoopbackAddress()).close();
    }

    /** Keeps the event loop of the connection, which tells that no answer came. */
    private void keepBusyUntil(CountDownLatch over) throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        while (!network.client().checkConnection(mute, true)) {
            Thread.onSpinWait();
        }
        network.client()
                .invokeAsync(
                        mute,
                        PING,
                        null,
                        new InvokeCallback() {
                            @Override
                            public void complete(Object answer, Throwable failure) {
                                throw new AssertionError("its executor runs nothing");
                            }

                            @Override
                            public Executor executor() {
                                return task -> {
                                    busy.countDown();
                                    await(over);
                                };
                            }
                        },
                        1);
        busy.await();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
