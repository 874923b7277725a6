package io.duramen.node.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duramen.broker.shard.ShardRequest;
import io.duramen.node.security.Authenticator;
import io.duramen.protocol.Api;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Frame;
import io.duramen.protocol.SpareBuffers;
import io.duramen.protocol.frame.Authenticate;
import io.duramen.protocol.frame.Close;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.Failure;
import io.duramen.protocol.frame.Hello;
import io.duramen.protocol.frame.Identify;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Ping;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.ResolveDestination;
import io.duramen.protocol.frame.Settle;
import io.duramen.runtime.settings.SettingsBinder;
import io.duramen.runtime.settings.SettingsCatalog;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class NetworkServerTest {
    private static final ResolveDestination.Request ANY_REQUEST =
            new ResolveDestination.Request("orders", DestinationKind.QUEUE, true);

    private final FakeShard shard = new FakeShard();
    private final OneUser users = new OneUser();
    private NetworkServer server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void shouldAnswerAndHandOverWhenAClientLogsInAndAsks() throws Exception {
        try (RawClient client = RawClient.loggedIn(start())) {
            client.request(3, ANY_REQUEST);
            ShardRequest.FromClient request = shard.nextFrame();
            assertThat(request.frame().payload()).isEqualTo(ANY_REQUEST);
            assertThat(request.connection().user()).isEqualTo(Authenticator.ANONYMOUS);
            request.connection().send(Frame.failure(request.frame().api(), 3, ErrorCode.UNSUPPORTED, "no"));
            assertThat(client.read().payload()).isEqualTo(new Failure(ErrorCode.UNSUPPORTED.number(), "no"));
            client.request(4, new Ping.Request());
            assertThat(client.read()).isEqualTo(Frame.response(Api.PING, 4, new Ping.Response()));
        }
        assertThat(shard.nextDisconnected().clean()).isFalse();
        assertThat(shard.isEmpty()).isTrue();
    }

    @Test
    void shouldRefuseEverythingElseWhenNotLoggedIn() throws Exception {
        int port = start();
        for (Record early :
                List.of(ANY_REQUEST, new Ping.Request(), new Identify.Request("a", 1), new Close.Request())) {
            try (RawClient client = new RawClient(port)) {
                client.request(7, early);
                assertRefused(client, 7, ErrorCode.NOT_AUTHENTICATED);
            }
            try (RawClient client = new RawClient(port)) {
                client.hello();
                client.request(8, early);
                assertRefused(client, 8, ErrorCode.NOT_AUTHENTICATED);
            }
        }
        try (RawClient client = new RawClient(port)) {
            client.request(9, new Authenticate.Request("PLAIN", "", ""));
            assertRefused(client, 9, ErrorCode.NOT_AUTHENTICATED);
        }
        assertThat(shard.isEmpty()).isTrue();
    }

    @Test
    void shouldRefuseWhatFollowsWhenAPasswordIsStillBeingChecked() throws Exception {
        try (RawClient client = new RawClient(start())) {
            client.hello();
            client.send(
                    Frame.request(2, new Authenticate.Request("PLAIN", "ann", "right")), Frame.request(3, ANY_REQUEST));
            assertRefused(client, 3, ErrorCode.NOT_AUTHENTICATED);
        }
        assertThat(shard.isEmpty()).isTrue();
    }

    @Test
    void shouldLogInOnlyWithTheRightPassword() throws Exception {
        int port = start();
        try (RawClient client = new RawClient(port)) {
            client.hello();
            client.request(2, new Authenticate.Request("PLAIN", "ann", "right"));
            assertThat(client.read().payload()).isEqualTo(new Authenticate.Response("ann"));
        }
        for (String[] wrong : new String[][] {{"ann", "wrong"}, {"ann", ""}, {"", "right"}}) {
            try (RawClient client = new RawClient(port)) {
                client.hello();
                client.request(2, new Authenticate.Request("PLAIN", wrong[0], wrong[1]));
                assertRefused(client, 2, ErrorCode.AUTHENTICATION_FAILED);
            }
        }
    }

    @Test
    void shouldCloseWhenThePeerSpeaksAnotherProtocolOrVersion() throws Exception {
        int port = start();
        try (RawClient client = new RawClient(port)) {
            client.bytes("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            assertRefused(client, 0, ErrorCode.FRAME_TOO_LARGE);
        }
        try (RawClient client = new RawClient(port)) {
            client.request(1, new Hello.Request(1, 1, 1, "raw", 0));
            assertRefused(client, 1, ErrorCode.MALFORMED_FRAME);
        }
        try (RawClient client = new RawClient(port)) {
            client.request(1, new Hello.Request(io.duramen.protocol.Protocol.MAGIC, 77, 99, "raw", 0));
            assertRefused(client, 1, ErrorCode.UNSUPPORTED_VERSION);
        }
    }

    @Test
    void shouldRefuseALengthBeyondTheLimitOfTheMoment() throws Exception {
        int port = start("network.frame-length-max", "64KiB");
        try (RawClient client = new RawClient(port)) {
            client.bytes(ByteBuffer.allocate(4).putInt(8 * 1024 + 1).array());
            assertRefused(client, 0, ErrorCode.FRAME_TOO_LARGE);
        }
        try (RawClient client = RawClient.loggedIn(port)) {
            Publish.Request tooLong = new Publish.Request(0, 1, Publish.Acks.ALL, ByteBuffer.allocate(64 * 1024));
            client.request(5, tooLong);
            assertRefused(client, 5, ErrorCode.FRAME_TOO_LARGE);
            assertThat(shard.next()).isInstanceOf(ShardRequest.Disconnected.class);
        }
        try (RawClient client = RawClient.loggedIn(port)) {
            client.bytes((byte) -1, (byte) -1, (byte) -1, (byte) -1);
            assertRefused(client, 0, ErrorCode.FRAME_TOO_LARGE);
        }
    }

    @Test
    void shouldCloseOnlyTheConnectionThatSendsGarbage() throws Exception {
        int port = start("network.frame-length-max", "64KiB");
        long seed = 20_261_129;
        Random random = new Random(seed);
        try (RawClient bystander = RawClient.loggedIn(port)) {
            for (int i = 0; i < 300; i++) {
                try (RawClient client = i % 3 == 0 ? new RawClient(port) : RawClient.loggedIn(port)) {
                    client.bytesUnlessClosed(garbage(random));
                    client.reset();
                }
            }
            bystander.request(4, new Ping.Request());
            assertThat(bystander.read().correlation()).as("seed %s", seed).isEqualTo(4);
        }
        await().until(() -> server.connections() == 0);
    }

    /** Random bytes, or a true frame with some of its bytes replaced or its end cut off. */
    private static byte[] garbage(Random random) {
        if (random.nextInt(4) == 0) {
            byte[] noise = new byte[random.nextInt(300)];
            random.nextBytes(noise);
            return noise;
        }
        Record[] payloads = {
            ANY_REQUEST,
            new Publish.Request(0, 1, Publish.Acks.ALL, ByteBuffer.allocate(random.nextInt(100))),
            new Credit.Push(0, 1, 1, 1, 1, false),
            new Identify.Request("id" + random.nextInt(3), random.nextInt(2)),
            new Close.Request()
        };
        Record payload = payloads[random.nextInt(payloads.length)];
        Frame frame = payload instanceof Credit.Push ? Frame.push(payload) : Frame.request(random.nextLong(), payload);
        ByteBuffer bytes = ByteBuffer.allocate(frame.size(1));
        frame.write(1, frame.size(1), bytes);
        int changes = random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            bytes.put(random.nextInt(bytes.capacity()), (byte) random.nextInt());
        }
        return random.nextBoolean()
                ? bytes.array()
                : java.util.Arrays.copyOf(bytes.array(), random.nextInt(bytes.capacity()));
    }

    @Test
    void shouldAnswerCloseAfterEverythingBeforeIt() throws Exception {
        try (RawClient client = RawClient.loggedIn(start())) {
            client.send(Frame.request(3, ANY_REQUEST), Frame.request(4, new Close.Request()));
            ShardRequest.FromClient request = shard.nextFrame();
            assertThat(shard.isEmpty()).isTrue();
            request.connection().send(Frame.failure(request.frame().api(), 3, ErrorCode.UNSUPPORTED, ""));
            assertThat(client.read().correlation()).isEqualTo(3);
            assertThat(client.read()).isEqualTo(Frame.response(Api.CLOSE, 4, new Close.Response()));
            assertThat(shard.nextDisconnected().clean()).isTrue();
            client.awaitEnd();
        }
        assertThat(shard.isEmpty()).isTrue();
    }

    @Test
    void shouldSendWhatMayWaitWithTheNextAnswerAndByItselfWhenNoneFollows() throws Exception {
        try (RawClient client = RawClient.loggedIn(start())) {
            client.request(10, settlement());
            var connection = shard.nextFrame().connection();
            connection.sendLater(answer(10));
            connection.send(answer(11));
            assertThat(client.read().correlation()).isEqualTo(10);
            assertThat(client.read().correlation()).isEqualTo(11);
            client.request(12, settlement());
            shard.nextFrame();
            connection.sendLater(answer(12));
            assertThat(client.read().correlation()).isEqualTo(12);
            client.send(Frame.request(13, settlement()), Frame.request(14, new Close.Request()));
            shard.nextFrame();
            connection.sendLater(answer(13));
            assertThat(client.read().correlation()).isEqualTo(13);
            assertThat(client.read().correlation()).isEqualTo(14);
        }
    }

    private static Settle.Request settlement() {
        return new Settle.Request(0, 1, 1, List.of(OffsetRange.of(0)), Settle.Outcome.ACCEPTED, 1, false);
    }

    private static Frame answer(long correlation) {
        return Frame.response(Api.SETTLE, correlation, new Settle.Response(List.of()));
    }

    @Test
    void shouldRefuseAClientIdThatAnotherHolds() throws Exception {
        int port = start();
        try (RawClient holder = RawClient.loggedIn(port);
                RawClient other = RawClient.loggedIn(port)) {
            holder.request(3, new Identify.Request("shop", 1));
            assertThat(holder.read().kind()).isEqualTo(Frame.Kind.RESPONSE);
            other.request(3, new Identify.Request("shop", 2));
            assertThat(failure(other.read())).isEqualTo(ErrorCode.CLIENT_ID_IN_USE);
            holder.request(4, new Close.Request());
            holder.awaitEnd();
            other.request(4, new Identify.Request("shop", 2));
            assertThat(other.read().kind()).isEqualTo(Frame.Kind.RESPONSE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop", Identify.MADE_UP + "shop"})
    void shouldEndTheOldConnectionFirstWhenTheSameClientComesBack(String name) throws Exception {
        int port = start();
        try (RawClient old = RawClient.loggedIn(port);
                RawClient back = RawClient.loggedIn(port)) {
            old.request(3, new Identify.Request(name, 1));
            old.read();
            old.request(4, ANY_REQUEST);
            ShardRequest.FromClient ofOld = shard.nextFrame();
            back.send(Frame.request(3, new Identify.Request(name, 1)), Frame.request(4, ANY_REQUEST));
            assertThat(shard.nextDisconnected().connection()).isSameAs(ofOld.connection());
            ShardRequest.FromClient ofNew = shard.nextFrame();
            assertThat(ofNew.connection().clientId())
                    .isEqualTo(Optional.of(name).filter("shop"::equals));
            assertThat(back.read().api()).isEqualTo(Api.IDENTIFY);
            assertRefused(old, 0, ErrorCode.CLIENT_ID_IN_USE);
        }
    }

    @Test
    void shouldTakeAClientIdBesideTheNameThatAClientMadeUp() throws Exception {
        int port = start();
        try (RawClient client = RawClient.loggedIn(port);
                RawClient back = RawClient.loggedIn(port)) {
            client.request(3, new Identify.Request(Identify.MADE_UP + "a", 1));
            assertThat(client.read().kind()).isEqualTo(Frame.Kind.RESPONSE);
            client.request(4, new Identify.Request(Identify.MADE_UP + "b", 1));
            assertThat(failure(client.read())).isEqualTo(ErrorCode.INVALID_REQUEST);
            client.request(5, new Identify.Request("shop", 1));
            assertThat(client.read().kind()).isEqualTo(Frame.Kind.RESPONSE);
            back.send(Frame.request(3, new Identify.Request(Identify.MADE_UP + "a", 1)));
            assertRefused(client, 0, ErrorCode.CLIENT_ID_IN_USE);
            assertThat(back.read().api()).isEqualTo(Api.IDENTIFY);
            back.send(Frame.request(4, new Identify.Request("shop", 2))); // both names are free again
            assertThat(back.read().kind()).isEqualTo(Frame.Kind.RESPONSE);
        }
    }

    @Test
    void shouldStopReadingWhileTooMuchWaitsInTheInbox() throws Exception {
        try (RawClient client = RawClient.loggedIn(start("network.inbound-max", "64KiB"))) {
            int frames = 400;
            Publish.Request batch = new Publish.Request(0, 1, Publish.Acks.NONE, ByteBuffer.allocate(10_000));
            Thread sender = new Thread(() -> {
                try {
                    for (int i = 0; i < frames; i++) {
                        client.request(i, batch);
                    }
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            sender.start();
            await().until(() -> shard.size() >= 6);
            int most = 0;
            for (int i = 0; i < frames; i++) {
                most = Math.max(most, shard.size());
                assertThat(shard.nextFrame().frame().correlation()).isEqualTo(i);
            }
            sender.join();
            // 64 KiB, and what one read may bring beyond it.
            assertThat(most).isLessThanOrEqualTo((64 * 1024 + 128 * 1024) / 10_000 + 2);
        }
    }

    @Test
    void shouldStopReadingWhileTooManyRequestsAreUnanswered() throws Exception {
        try (RawClient client = RawClient.loggedIn(start("network.in-flight-max", "2"))) {
            client.request(10, ANY_REQUEST);
            client.request(11, ANY_REQUEST);
            ShardRequest.FromClient first = shard.nextFrame();
            shard.nextFrame();
            client.request(12, ANY_REQUEST);
            assertThat(shard.isEmpty()).isTrue();
            first.connection().send(Frame.failure(Api.RESOLVE_DESTINATION, 10, ErrorCode.UNSUPPORTED, ""));
            assertThat(shard.nextFrame().frame().correlation()).isEqualTo(12);
        }
    }

    private static Frame longDelivery() {
        return Frame.push(new Deliver.Push(0, 1, 1, 1, ByteBuffer.allocate(1 << 20)));
    }

    @Test
    void shouldCutAPeerThatReadsNothing() throws Exception {
        try (RawClient client = RawClient.loggedIn(start("network.outbound-timeout", "300ms"))) {
            client.request(3, ANY_REQUEST);
            var connection = shard.nextFrame().connection();
            for (int i = 0; i < 32; i++) {
                connection.send(longDelivery());
            }
            assertThat(shard.nextDisconnected().connection()).isSameAs(connection);
            connection.send(longDelivery());
        }
    }

    @Test
    void shouldCutAPeerOfWhichTooMuchIsUnread() throws Exception {
        try (RawClient client = RawClient.loggedIn(start("network.outbound-max", "8MiB"))) {
            client.request(3, ANY_REQUEST);
            var connection = shard.nextFrame().connection();
            while (shard.isEmpty()) {
                connection.send(longDelivery());
            }
            assertThat(shard.nextDisconnected().connection()).isSameAs(connection);
        }
    }

    /** One after the other uses the memory of those before, which must then be read by nobody. */
    @Test
    void shouldKeepTheBytesOfLongFramesWhenTheirMemoryIsUsedAnew() throws Exception {
        try (RawClient client = RawClient.loggedIn(start())) {
            for (int i = 0; i < 50; i++) {
                byte[] bytes = new byte[150_000 + 10_000 * i];
                java.util.Arrays.fill(bytes, (byte) (i + 1));
                client.request(i, new Publish.Request(0, 1, Publish.Acks.NONE, ByteBuffer.wrap(bytes)));
                ShardRequest.FromClient request = shard.nextFrame();
                ByteBuffer batch = ((Publish.Request) request.frame().payload()).batch();
                assertThat(batch).isEqualTo(ByteBuffer.wrap(bytes));
                ByteBuffer copy = i % 2 == 0
                        ? SpareBuffers.SHARED.take(batch.remaining())
                        : SpareBuffers.SHARED.takeDirect(batch.remaining());
                copy.put(0, batch, 0, batch.remaining());
                request.connection()
                        .memoryOf(batch)
                        .ifPresentOrElse(
                                SpareBuffers.SHARED::give,
                                () -> request.connection().stored(batch));
                request.connection().send(Frame.push(new Deliver.Push(0, 1, i, 1, copy)));
                if (i % 5 == 4) {
                    for (int j = i - 4; j <= i; j++) {
                        ByteBuffer delivered = ((Deliver.Push) client.read().payload()).deliveries();
                        byte[] expected = new byte[150_000 + 10_000 * j];
                        java.util.Arrays.fill(expected, (byte) (j + 1));
                        assertThat(delivered).isEqualTo(ByteBuffer.wrap(expected));
                    }
                }
            }
        }
    }

    /** What no shard is handed, none handles: it would be kept as long as the connection lasts. */
    @Test
    void shouldKeepNoMemoryOfLongFramesThatGoToNoShard() throws Exception {
        ByteBuffer bytes = ByteBuffer.wrap(new byte[200_000]);
        try (RawClient client = RawClient.loggedIn(start())) {
            for (int i = 0; i < 20; i++) {
                client.request(i, new Publish.Request(99, 1, Publish.Acks.ALL, bytes.duplicate()));
                assertThat(failure(client.read())).isEqualTo(ErrorCode.SHARD_NOT_THERE);
            }
            client.request(20, new Publish.Request(0, 1, Publish.Acks.NONE, bytes.duplicate()));
            ShardRequest.FromClient handed = (ShardRequest.FromClient) shard.next();
            Connection connection = (Connection) handed.connection();
            assertThat(connection.longBatches.count()).isEqualTo(1);
            connection.handled(handed.frame());
            assertThat(connection.longBatches.count()).isZero();
        }
    }

    @Test
    void shouldKeepTheOrderAndBytesOfManyDeliveries() throws Exception {
        try (RawClient client = RawClient.loggedIn(start())) {
            client.request(3, ANY_REQUEST);
            var connection = shard.nextFrame().connection();
            Random random = new Random(7);
            Thread agent = new Thread(() -> {
                for (int i = 0; i < 5_000; i++) {
                    byte[] bytes = new byte[random.nextInt(3_000)];
                    java.util.Arrays.fill(bytes, (byte) i);
                    connection.send(Frame.push(new Deliver.Push(0, 1, i, 1, ByteBuffer.wrap(bytes))));
                }
            });
            agent.start();
            for (int i = 0; i < 5_000; i++) {
                Deliver.Push push = (Deliver.Push) client.read().payload();
                assertThat(push.partition()).isEqualTo(i);
                while (push.deliveries().hasRemaining()) {
                    if (push.deliveries().get() != (byte) i) {
                        throw new AssertionError("delivery " + i + " has other bytes");
                    }
                }
            }
            agent.join();
        }
    }

    @Test
    void shouldCloseAConnectionThatDoesNotLogInOrFallsSilent() throws Exception {
        int port = start("network.handshake-timeout", "200ms", "network.heartbeat", "200ms");
        try (RawClient client = new RawClient(port)) {
            client.awaitEnd();
        }
        try (RawClient client = RawClient.loggedIn(port)) {
            client.awaitEnd();
            assertThat(shard.nextDisconnected().clean()).isFalse();
        }
    }

    @Test
    void shouldLetInWhoseLoginTakesLongBecauseTheNodeIsSlow() throws Exception {
        int port = start("network.handshake-timeout", "200ms");
        try (RawClient slow = new RawClient(port);
                RawClient idle = new RawClient(port)) {
            slow.hello();
            slow.request(2, new Authenticate.Request("PLAIN", OneUser.SLOW, "right"));
            idle.awaitEnd(); // as long as that takes, the other's password is being checked
            users.slow.countDown();
            assertThat(slow.read().payload()).isEqualTo(new Authenticate.Response(OneUser.SLOW));
        }
    }

    @Test
    void shouldRefuseConnectionsBeyondTheLimits() throws Exception {
        int port = start("network.connections-max", "2");
        try (RawClient first = RawClient.loggedIn(port);
                RawClient second = RawClient.loggedIn(port)) {
            try (RawClient third = new RawClient(port)) {
                third.awaitEnd();
            }
            second.reset();
            await().until(() -> server.connections() == 1);
            try (RawClient third = RawClient.loggedIn(port)) {
                third.request(3, new Ping.Request());
                assertThat(third.read().correlation()).isEqualTo(3);
            }
            first.request(3, new Ping.Request());
            assertThat(first.read().correlation()).isEqualTo(3);
        }
    }

    @Test
    void shouldAnswerWhatWasReceivedWhenTheServerStops() throws Exception {
        int port = start();
        try (RawClient client = RawClient.loggedIn(port)) {
            client.request(3, ANY_REQUEST);
            ShardRequest.FromClient request = shard.nextFrame();
            Thread stopping = new Thread(server::close);
            stopping.start();
            await().until(() -> refusesConnections(port));
            request.connection().send(Frame.failure(request.frame().api(), 3, ErrorCode.UNSUPPORTED, ""));
            assertThat(client.read().correlation()).isEqualTo(3);
            assertThat(failure(client.read())).isEqualTo(ErrorCode.SHUTTING_DOWN);
            client.awaitEnd();
            stopping.join();
            assertThat(shard.nextDisconnected().clean()).isFalse();
        }
    }

    private static boolean refusesConnections(int port) {
        try {
            new RawClient(port).close();
            return false;
        } catch (java.io.IOException e) {
            return true;
        }
    }

    private static void assertRefused(RawClient client, long correlation, ErrorCode code) throws Exception {
        Frame frame = client.read();
        assertThat(failure(frame)).isEqualTo(code);
        assertThat(frame.correlation()).isEqualTo(correlation);
        assertThat(client.readOrEnd()).isEmpty();
    }

    private static ErrorCode failure(Frame frame) {
        assertThat(frame.kind()).isEqualTo(Frame.Kind.FAILURE);
        return ErrorCode.of(((Failure) frame.payload()).code());
    }

    private int start(String... settings) throws Exception {
        Map<String, String> overrides = new HashMap<>(Map.of("network.port", "0"));
        for (int i = 0; i < settings.length; i += 2) {
            overrides.put(settings[i], settings[i + 1]);
        }
        NetworkConfig config = SettingsBinder.of(new SettingsCatalog(Map.of("network", NetworkConfig.class)))
                .overrides(overrides)
                .build()
                .bind(NetworkConfig.class);
        server = new NetworkServer(config, "test", users, Door.open(), List.of(shard));
        return server.listen();
    }

    /** Knows ann and one whose login takes as long as the test says; their password is right. Lets anonymous in. */
    private static final class OneUser implements Authenticator {
        static final String SLOW = "bob";
        final CountDownLatch slow = new CountDownLatch(1);

        @Override
        public boolean isAnonymousAllowed() {
            return true;
        }

        @Override
        public Optional<String> authenticate(String user, String password) {
            if (user.equals(SLOW)) {
                awaitSlow();
            }
            return List.of("ann", SLOW).contains(user) && password.equals("right")
                    ? Optional.of(user)
                    : Optional.empty();
        }

        private void awaitSlow() {
            try {
                slow.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
