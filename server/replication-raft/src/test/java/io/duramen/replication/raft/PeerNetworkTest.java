package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.PingRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;
import io.duramen.runtime.ports.FreePorts;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is let in, and what is read of those who are not. */
class PeerNetworkTest {
    private static final int PATIENCE_MILLIS = 20_000;
    private static final PingRequest PING =
            PingRequest.newBuilder().setSendTimestamp(1).build();

    @TempDir
    Path directory;

    private final List<PeerNetwork> open = new ArrayList<>();
    private RaftPeer one;
    private RaftPeer two;

    @BeforeEach
    void ports() {
        int port = FreePorts.inARow(2);
        one = new RaftPeer("one", "127.0.0.1", port);
        two = new RaftPeer("two", "127.0.0.1", port + 1);
    }

    @AfterEach
    void close() {
        open.forEach(PeerNetwork::close);
    }

    @Test
    void shouldAnswerWhenBothAreOfOneCluster() throws Exception {
        open(one, "c", Optional.empty());
        PeerNetwork caller = open(two, "c", Optional.empty());

        assertThat(ping(caller, one)).isEqualTo(0);
    }

    @Test
    void shouldHearInOrderWhatIsToldOverAConnection() throws Exception {
        LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
        open(one, "c", Optional.empty()).onTold((node, number, content) -> heard.add(node + number + content.length));
        PeerNetwork caller = open(two, "c", Optional.empty());
        assertThat(caller.tell("nobody", (byte) 1, new byte[1])).isFalse();
        ping(caller, one);

        for (int length = 0; length < 100; length++) {
            assertThat(caller.tell("one", (byte) 7, new byte[length])).isTrue();
        }
        for (int length = 0; length < 100; length++) {
            assertThat(heard.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo("two7" + length);
        }
    }

    @Test
    void shouldRefuseANodeOfAnotherCluster() throws Exception {
        open(one, "c", Optional.empty());
        PeerNetwork caller = open(two, "other", Optional.empty());

        assertThatThrownBy(() -> ping(caller, one)).isInstanceOf(RemotingException.class);
    }

    @Test
    void shouldRefuseANodeThatIsNotOnTheList() throws Exception {
        open.add(PeerNetwork.open(new PeerNetworkConfig("c", one, List.of(one), Optional.empty())));
        PeerNetwork caller = open(two, "c", Optional.empty());

        assertThatThrownBy(() -> ping(caller, one)).isInstanceOf(RemotingException.class);
    }

    @Test
    void shouldTellWhatEachSaysOfItselfAndRefuseWhoIsNotToBeTalkedWith() throws Exception {
        Map<String, String> met = new ConcurrentHashMap<>();
        Introduction ofOne = new Introduction(Introduction.Said.of("d1", "h1:1"), (node, said) -> {
            met.put(node, said.directory() + " " + said.clients());
            if (said.directory().equals("lost")) {
                throw new IllegalArgumentException("another directory");
            }
        });
        open.add(PeerNetwork.open(introduced(one, ofOne)));
        PeerNetwork caller = PeerNetwork.open(introduced(
                two,
                new Introduction(
                        Introduction.Said.of("d2", "h2:2"),
                        (node, said) -> met.put(node, said.directory() + " " + said.clients()))));
        assertThat(ping(caller, one)).isZero();
        caller.close();
        assertThat(met).containsOnly(Map.entry("one", "d1 h1:1"), Map.entry("two", "d2 h2:2"));

        PeerNetwork emptied = PeerNetwork.open(
                introduced(two, new Introduction(Introduction.Said.of("lost", "h2:2"), (node, said) -> {})));
        open.add(emptied);
        assertThatThrownBy(() -> ping(emptied, one)).isInstanceOf(RemotingException.class);
        assertThatThrownBy(() -> ping(open.get(0), two)).isInstanceOf(RemotingException.class);
    }

    private PeerNetworkConfig introduced(RaftPeer self, Introduction introduction) {
        return new PeerNetworkConfig(
                () -> "c",
                self,
                Roster.of(List.of(one, two)),
                Optional.empty(),
                PeerNetworkConfig.Listening.at(self),
                PeerNetworkConfig.FRAME_BYTES_DEFAULT,
                introduction);
    }

    @Test
    void shouldCallNobodyWhoIsNotOnTheList() throws Exception {
        PeerNetwork caller = open(two, "c", Optional.empty());

        assertThatThrownBy(() -> ping(caller, new RaftPeer("three", "127.0.0.1", 9)))
                .isInstanceOf(RemotingException.class)
                .hasMessageContaining("no node of this cluster");
    }

    @Test
    void shouldAnswerOverTlsWhenCertificatesBearTheNames() throws Exception {
        TestCertificates certificates = new TestCertificates(directory, List.of("one", "two"));
        open(one, "c", certificates.of("one"));
        PeerNetwork caller = open(two, "c", certificates.of("two"));

        assertThat(ping(caller, one)).isEqualTo(0);
    }

    @Test
    void shouldRefuseOverTlsWhoSaysAnotherNameThanItsCertificate() throws Exception {
        TestCertificates certificates = new TestCertificates(directory, List.of("one", "two", "three"));
        open(one, "c", certificates.of("one"));
        PeerNetwork caller = open(two, "c", certificates.of("three"));

        assertThatThrownBy(() -> ping(caller, one)).isInstanceOf(RemotingException.class);
    }

    @Test
    void shouldTalkToNobodyWhoseCertificateBearsAnotherName() throws Exception {
        TestCertificates certificates = new TestCertificates(directory, List.of("one", "two", "three"));
        open(one, "c", certificates.of("three"));
        PeerNetwork caller = open(two, "c", certificates.of("two"));

        assertThatThrownBy(() -> ping(caller, one)).isInstanceOf(RemotingException.class);
    }

    @Test
    void shouldRefuseWithoutACertificateAndWithoutTls() throws Exception {
        TestCertificates certificates = new TestCertificates(directory, List.of("one"));
        open(one, "c", certificates.of("one"));
        PeerNetwork caller = open(two, "c", Optional.empty());

        assertThatThrownBy(() -> ping(caller, one)).isInstanceOf(RemotingException.class);
    }

    @Test
    void shouldNotListenInTheOpenUnlessTold() {
        RaftPeer open = new RaftPeer("one", "0.0.0.0", one.port());
        PeerNetworkConfig config = new PeerNetworkConfig("c", open, List.of(open), Optional.empty());

        assertThatThrownBy(() -> PeerNetwork.open(config))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("TLS");
    }

    @Test
    void shouldHangUpOnWhoSpeaksForAnother() throws Exception {
        open(one, "c", Optional.empty());
        try (Socket socket = new Socket("127.0.0.1", one.port())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            send(socket, new Greeting("c", "two", "one", Introduction.Said.of("", ""), false).toFrame());
            assertThat(socket.getInputStream().read()).isNotNegative();
            send(socket, vote(one.toString()));

            assertThat(restOf(socket)).isLessThan(PeerFrame.GREETING_MAX);
        }
    }

    @Test
    void shouldHangUpOnWhoAsksBeforeItGreets() throws Exception {
        open(one, "c", Optional.empty());
        try (Socket socket = new Socket("127.0.0.1", one.port())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            send(socket, vote(two.toString()));

            assertThat(restOf(socket)).isZero();
        }
    }

    @Test
    void shouldHangUpOnALengthThatNoGreetingHas() throws Exception {
        open(one, "c", Optional.empty());
        for (int length : new int[] {-1, 0, 9, PeerFrame.GREETING_MAX + 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            try (Socket socket = new Socket("127.0.0.1", one.port())) {
                socket.setSoTimeout(PATIENCE_MILLIS);
                ByteBuf bytes = Unpooled.buffer().writeInt(length);
                socket.getOutputStream().write(bytes.array(), 0, 4);

                assertThat(restOf(socket)).as("length %d", length).isZero();
            }
        }
    }

    /** Goal: whatever somebody unknown sends, the node goes on answering those it knows. */
    @Test
    void shouldGoOnWhenStrangersSendAnything() throws Exception {
        open(one, "c", Optional.empty());
        PeerNetwork caller = open(two, "c", Optional.empty());
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            try (Socket socket = new Socket("127.0.0.1", one.port())) {
                byte[] bytes = new byte[1 + random.nextInt(200)];
                random.nextBytes(bytes);
                if (random.nextBoolean()) {
                    ByteBuf frame = Unpooled.buffer();
                    new Greeting("c", "two", "one", Introduction.Said.of("", ""), false)
                            .toFrame()
                            .write(frame);
                    frame.writeBytes(bytes).readBytes(bytes);
                }
                socket.getOutputStream().write(bytes);
            } catch (IOException hungUp) {
                assertThat(hungUp).as("seed %d", seed).isNotNull();
            }
        }

        assertThat(ping(caller, one)).as("seed %d", seed).isZero();
    }

    @Test
    void shouldRefuseToSendWhatIsLongerThanAFrame() throws Exception {
        PeerNetworkConfig config = new PeerNetworkConfig(
                () -> "c",
                one,
                Roster.of(List.of(one, two)),
                Optional.empty(),
                PeerNetworkConfig.Listening.at(one),
                PeerFrame.GREETING_MAX,
                Introduction.NONE);
        open.add(PeerNetwork.open(config));
        open.add(PeerNetwork.open(new PeerNetworkConfig(
                () -> "c",
                two,
                Roster.of(List.of(one, two)),
                Optional.empty(),
                PeerNetworkConfig.Listening.at(two),
                PeerFrame.GREETING_MAX,
                Introduction.NONE)));
        assertThat(ping(open.get(1), one)).isZero();
        RequestVoteRequest longer = request("127.0.0.1:" + "1".repeat(PeerFrame.GREETING_MAX));

        assertThatThrownBy(() -> open.get(1).client().invokeSync(one.toEngine().getEndpoint(), longer, 1000))
                .isInstanceOf(RemotingException.class)
                .hasMessageContaining("limit");
        assertThat(ping(open.get(1), one)).isZero();
    }

    private PeerNetwork open(RaftPeer self, String cluster, Optional<PeerTls> tls) throws IOException {
        PeerNetwork network = PeerNetwork.open(new PeerNetworkConfig(cluster, self, List.of(one, two), tls));
        open.add(network);
        return network;
    }

    private static int ping(PeerNetwork from, RaftPeer to) throws Exception {
        Object answer = from.client().invokeSync(to.toEngine().getEndpoint(), PING, PATIENCE_MILLIS);
        return ((ErrorResponse) answer).getErrorCode();
    }

    private static PeerFrame vote(String speaker) {
        return new PeerFrame(
                PeerFrame.REQUEST,
                PeerMessage.ASK_VOTE.number(),
                1,
                request(speaker).toByteArray());
    }

    private static RequestVoteRequest request(String speaker) {
        return RequestVoteRequest.newBuilder()
                .setGroupId("group")
                .setServerId(speaker)
                .setPeerId("127.0.0.1:1")
                .setTerm(1)
                .setLastLogIndex(1)
                .setLastLogTerm(1)
                .setPreVote(true)
                .build();
    }

    static void send(Socket socket, PeerFrame frame) throws IOException {
        ByteBuf bytes = Unpooled.buffer();
        frame.write(bytes);
        socket.getOutputStream().write(bytes.array(), 0, bytes.readableBytes());
    }

    /** Bytes that come until the other side hangs up. */
    static long restOf(Socket socket) throws IOException {
        try {
            return socket.getInputStream().readAllBytes().length;
        } catch (java.net.SocketException reset) {
            return 0;
        }
    }
}
