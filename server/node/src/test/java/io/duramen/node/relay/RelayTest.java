package io.duramen.node.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.broker.shard.ClientConnection;
import io.duramen.broker.shard.OperatorRequest;
import io.duramen.broker.shard.OperatorRequest.EndPrepared;
import io.duramen.broker.shard.OperatorRequest.ListPrepared;
import io.duramen.broker.shard.ShardRequest;
import io.duramen.broker.talk.TalkFrame;
import io.duramen.protocol.Api;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Frame;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Ping;
import io.duramen.runtime.Clock;
import io.duramen.runtime.agent.MpscInbox;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Clients of one node and a shard of another, which answers each frame; all on the test's thread. */
class RelayTest {
    private static final int RUNS = 300;
    private static final int SHARD = 2;

    private final class Client implements ClientConnection {
        private final long id;
        private final List<Long> answered = new ArrayList<>();
        private long asked;
        private long handled;
        private boolean cut;
        private boolean superseded;
        private String clientId;

        Client() {
            id = ++lastClient;
        }

        void asks() {
            port.put(new ShardRequest.FromClient(this, Frame.request(++asked, new Ping.Request())));
            port.wake();
        }

        void ends(boolean clean) {
            port.offer(new ShardRequest.Disconnected(this, clean));
        }

        @Override
        public long id() {
            return id;
        }

        @Override
        public String user() {
            return "user " + id;
        }

        @Override
        public boolean isAdmin() {
            return false;
        }

        @Override
        public Optional<String> clientId() {
            return Optional.ofNullable(clientId);
        }

        @Override
        public void send(Frame frame) {
            answered.add(frame.correlation());
        }

        @Override
        public void supersede() {
            superseded = true;
        }

        @Override
        public void handled(Frame frame) {
            handled++;
        }
    }

    /** One leadership of the shard. */
    private final class Leader {
        private final MpscInbox<ShardRequest> inbox = new MpscInbox<>();
        private final RelayDesk desk;
        private final List<String> ended = new ArrayList<>();
        private int unanswered;
        private ClientConnection last;

        Leader(long epoch) {
            desk = new RelayDesk(SHARD, epoch, clock, inbox, (node, frame) -> toPort.add(frame), tasks::add);
        }

        void works() {
            inbox.drain(this::take, 100);
        }

        @SuppressWarnings("unchecked")
        private void take(ShardRequest request) {
            if (request instanceof ShardRequest.FromClient from) {
                last = from.connection();
                seen.computeIfAbsent(from.connection().id(), none -> new ArrayList<>())
                        .add(from.frame().correlation());
                assertThat(from.connection().user())
                        .isEqualTo("user " + from.connection().id());
                from.connection().handled(from.frame());
                from.connection().send(Frame.response(Api.PING, from.frame().correlation(), new Ping.Response()));
            } else if (request instanceof ShardRequest.FromOperator<?> asked
                    && asked.request() instanceof EndPrepared ending) {
                if (ending.commit()) {
                    ((CompletableFuture<Boolean>) asked.answer()).complete(true);
                } else {
                    asked.answer().completeExceptionally(new ProtocolException(ErrorCode.INVALID_REQUEST, "none"));
                }
            } else if (request instanceof ShardRequest.FromOperator<?>) {
                unanswered++;
            } else if (request instanceof ShardRequest.Disconnected gone) {
                ended.add(gone.connection().id() + (gone.clean() ? " clean" : ""));
            }
        }
    }

    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final ArrayDeque<ByteBuffer> toPort = new ArrayDeque<>();
    private final ArrayDeque<ByteBuffer> toDesk = new ArrayDeque<>();
    private final List<Long> wereCut = new ArrayList<>();
    private final Map<Long, List<Long>> seen = new HashMap<>();
    private long lastClient;
    private long nowNanos;

    private final Clock clock = new Clock() {
        @Override
        public long millis() {
            return 0;
        }

        @Override
        public long nanos() {
            return nowNanos;
        }
    };

    private final RelayPort port = new RelayPort(
            SHARD,
            1,
            clock,
            new RelayPort.Ways() {
                @Override
                public void send(ByteBuffer frame) {
                    toDesk.add(frame);
                }

                @Override
                public void cut(ClientConnection connection) {
                    wereCut.add(connection.id());
                    ((Client) connection).cut = true;
                    ((Client) connection).ends(false);
                }
            },
            tasks::add);

    private Leader leader = new Leader(1);

    private void passes(long millis) {
        for (long passed = 0; passed < millis; passed += 100) {
            nowNanos += TimeUnit.MILLISECONDS.toNanos(100);
            port.tick();
            leader.desk.tick();
            flows();
        }
    }

    private void flows() {
        while (!tasks.isEmpty() || !toPort.isEmpty() || !toDesk.isEmpty() || !leader.inbox.isEmpty()) {
            runs();
            leader.works();
            while (!toDesk.isEmpty()) {
                leader.desk.hear("one", TalkFrame.decode(toDesk.poll()));
            }
            while (!toPort.isEmpty()) {
                port.hear(TalkFrame.decode(toPort.poll()));
            }
        }
    }

    private void runs() {
        while (!tasks.isEmpty()) {
            tasks.poll().run();
        }
    }

    @Test
    void shouldBringFramesThereAndAnswersBackInTheirOrder() {
        passes(500);
        Client client = new Client();
        for (int i = 0; i < 5; i++) {
            client.asks();
        }
        flows();

        assertThat(seen.get(client.id)).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(client.answered).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(client.handled).isEqualTo(5);
    }

    @Test
    void shouldTellTheShardHowAConnectionHasEnded() {
        passes(500);
        Client one = new Client();
        Client two = new Client();
        one.asks();
        two.asks();
        one.ends(true);
        two.ends(false);
        new Client().ends(true);
        flows();

        assertThat(leader.ended).containsExactly("1 clean", "2");
    }

    @Test
    void shouldKeepWhatWaitsUntilTheShardHasHandledIt() {
        passes(500);
        Client client = new Client();
        client.asks();
        runs();

        assertThat(client.handled).isZero();
        flows();
        assertThat(client.handled).isEqualTo(1);
    }

    @Test
    void shouldCutWhoAsksWhenNobodyIsKnownToLead() {
        Client client = new Client();
        client.asks();
        client.asks();
        runs();

        assertThat(wereCut).containsExactly(client.id);
        assertThat(client.handled).isEqualTo(2);
        flows();
        assertThat(seen).isEmpty();
    }

    @Test
    void shouldCutWhoHasAskedSomethingWhenAnotherLeads() {
        passes(500);
        Client client = new Client();
        Client other = new Client();
        client.asks();
        leader.desk.close();
        leader = new Leader(2);
        port.leaderChanges();
        passes(500);
        other.asks();
        flows();

        assertThat(wereCut).containsExactly(client.id);
        assertThat(client.handled).isEqualTo(1);
        assertThat(other.answered).containsExactly(1L);
    }

    @Test
    void shouldTakeClientsForLostOnBothSidesWhenTheOtherIsSilent() {
        passes(500);
        Client client = new Client();
        client.asks();
        flows();
        for (int i = 0; i < 110; i++) {
            nowNanos += TimeUnit.MILLISECONDS.toNanos(100);
            port.tick();
            leader.desk.tick();
            runs();
            leader.works();
            toPort.clear();
            toDesk.clear();
        }

        assertThat(wereCut).containsExactly(client.id);
        assertThat(leader.ended).containsExactly("1");
    }

    @Test
    void shouldStayMetWhenNothingIsSaidForLong() {
        passes(500);
        Client client = new Client();
        client.asks();
        passes(60_000);

        assertThat(wereCut).isEmpty();
        assertThat(leader.ended).isEmpty();
    }

    @Test
    void shouldSayAsWhomAClientIsKnownWhenItSaysSoLater() {
        passes(500);
        Client client = new Client();
        client.asks();
        runs();
        client.clientId = "me";
        client.asks();
        runs();
        List<Optional<String>> known = new ArrayList<>();
        while (!toDesk.isEmpty()) {
            leader.desk.hear("one", TalkFrame.decode(toDesk.poll()));
        }
        runs();
        leader.inbox.drain(
                request -> known.add(
                        ((ShardRequest.FromClient) request).connection().clientId()),
                10);

        assertThat(known).containsExactly(Optional.of("me"), Optional.of("me"));
    }

    @Test
    void shouldEndAConnectionOnBothSidesWhenItsClientIsBackOnAnother() {
        passes(500);
        Client client = new Client();
        Client other = new Client();
        client.asks();
        flows();
        leader.last.supersede();
        client.asks();
        other.asks();
        flows();
        client.ends(false);
        flows();

        assertThat(client.superseded).isTrue();
        assertThat(leader.ended).containsExactly("1");
        assertThat(seen.get(client.id)).containsExactly(1L);
        assertThat(other.answered).containsExactly(1L);
        assertThat(wereCut).isEmpty();
    }

    private <A> CompletableFuture<A> ask(OperatorRequest<A> request) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        port.offer(new ShardRequest.FromOperator<>(request, answer));
        return answer;
    }

    @Test
    void shouldAnswerOperatorsWhatTheShardSays() {
        passes(500);
        BranchId branch = new BranchId(1, ByteBuffer.wrap(new byte[3]), ByteBuffer.wrap(new byte[3]));
        CompletableFuture<Boolean> done = ask(new EndPrepared(branch, true));
        CompletableFuture<Boolean> refused = ask(new EndPrepared(branch, false));
        flows();

        assertThat(done).isCompletedWithValue(true);
        assertThatThrownBy(refused::join)
                .hasCauseInstanceOf(ProtocolException.class)
                .hasMessageContaining("none");
    }

    @Test
    void shouldRefuseOperatorsWhereNobodyLeadsAndWhatIsNotAnsweredWhenAnotherLeads() {
        CompletableFuture<?> early = ask(new ListPrepared());
        flows();
        assertThatThrownBy(early::join).hasMessageContaining("reaches nobody who leads shard 2");
        passes(500);
        CompletableFuture<?> late = ask(new ListPrepared());
        flows();
        assertThat(leader.unanswered).isEqualTo(1);
        assertThat(late).isNotDone();

        leader = new Leader(2);
        passes(500);
        assertThatThrownBy(late::join).hasMessageContaining("is not known");
    }

    /** Frames are lost, late and come twice, and leaders change: of each connection the shard sees the first frames, once and in order. */
    @Test
    void shouldSeeTheFirstFramesOfEachConnectionWhenFramesAreLost() {
        for (long seed = 1; seed <= RUNS; seed++) {
            new RelayTest().suffers(seed);
        }
    }

    private void suffers(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Client> clients = new ArrayList<>(List.of(new Client()));
        long epoch = 1;
        for (int step = 0; step < 400; step++) {
            switch (random.nextInt(12)) {
                case 0 -> clients.add(new Client());
                case 1, 2, 3 -> {
                    Client client = clients.get(random.nextInt(clients.size()));
                    if (!client.cut) { // nothing follows the end of a connection
                        client.asks();
                    }
                }
                case 4 -> runs();
                case 5 -> leader.works();
                case 6, 7 -> passOne(random, toDesk, frame -> leader.desk.hear("one", frame));
                case 8, 9 -> passOne(random, toPort, port::hear);
                case 10 -> {
                    nowNanos += TimeUnit.MILLISECONDS.toNanos(random.nextInt(300));
                    port.tick();
                    leader.desk.tick();
                }
                default -> {
                    if (random.nextInt(20) == 0) {
                        leader = new Leader(++epoch);
                    }
                }
            }
        }
        passes(12_000);
        clients.forEach(client -> assertWhole(client, seed));
    }

    private static void passOne(
            SplittableRandom random, ArrayDeque<ByteBuffer> from, java.util.function.Consumer<TalkFrame> to) {
        if (from.isEmpty()) {
            return;
        }
        ByteBuffer frame = random.nextInt(5) == 0 ? from.peekLast() : from.poll();
        if (random.nextInt(6) > 0) {
            to.accept(TalkFrame.decode(frame.duplicate()));
        }
    }

    private void assertWhole(Client client, long seed) {
        List<Long> frames = seen.getOrDefault(client.id, List.of());
        for (int i = 0; i < frames.size(); i++) {
            assertThat(frames.get(i)).as("seed %d: %s", seed, frames).isEqualTo(i + 1L);
        }
        for (int i = 0; i < client.answered.size(); i++) {
            assertThat(client.answered.get(i)).as("seed %d", seed).isEqualTo(i + 1L);
        }
        assertThat(client.handled).as("seed %d", seed).isEqualTo(client.asked);
        if (!client.cut) {
            assertThat(client.answered).as("seed %d", seed).hasSize((int) client.asked);
        }
    }
}
