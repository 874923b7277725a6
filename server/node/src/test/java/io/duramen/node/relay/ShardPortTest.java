package io.duramen.node.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.shard.ClientConnection;
import io.duramen.broker.shard.OperatorRequest;
import io.duramen.broker.shard.ShardRequest;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Frame;
import io.duramen.protocol.frame.Failure;
import io.duramen.protocol.frame.Ping;
import io.duramen.runtime.agent.MpscInbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Which way frames of a client go while leaders change; all on the test's thread. */
class ShardPortTest {
    private final MpscInbox<ShardRequest> shard = new MpscInbox<>();
    private final MpscInbox<ShardRequest> relay = new MpscInbox<>();
    private final List<Long> cut = new ArrayList<>();
    private final ShardPort port = new ShardPort(relay, cut::add);

    private static final class Client implements ClientConnection {
        private final long id;
        private int handled;
        private final List<Frame> answers = new ArrayList<>();

        Client(long id) {
            this.id = id;
        }

        @Override
        public long id() {
            return id;
        }

        @Override
        public String user() {
            return "some";
        }

        @Override
        public boolean isAdmin() {
            return false;
        }

        @Override
        public Optional<String> clientId() {
            return Optional.empty();
        }

        @Override
        public void send(Frame frame) {
            answers.add(frame);
        }

        @Override
        public void handled(Frame frame) {
            handled++;
        }
    }

    private void asks(Client client) {
        port.put(new ShardRequest.FromClient(client, Frame.request(1, new Ping.Request())));
    }

    private static int count(MpscInbox<ShardRequest> inbox) {
        return inbox.drain(request -> {}, 100);
    }

    @Test
    void shouldHandOverNothingMoreOfAConnectionWhenTheLeaderHasMoved() {
        Client client = new Client(7);
        port.leads(shard);
        asks(client);
        assertThat(port.leadsNoMore()).containsExactly(7L);

        asks(client);

        assertThat(count(shard)).isEqualTo(1);
        assertThat(count(relay)).isZero();
        assertThat(cut).containsExactly(7L);
        assertThat(client.handled).isEqualTo(1);
    }

    @Test
    void shouldTellWhoeverTookItsFramesWhenAConnectionEnds() {
        Client before = new Client(1);
        Client after = new Client(2);
        Client idle = new Client(3);
        asks(before);
        port.leads(shard);
        asks(after);
        List.of(before, after, idle).forEach(one -> port.put(new ShardRequest.Disconnected(one, true)));

        assertThat(count(relay)).isEqualTo(2);
        assertThat(count(shard)).isEqualTo(2);
        assertThat(port.leadsNoMore()).isEmpty();
    }

    @Test
    void shouldTakeANewConnectionWhenOthersAreToEnd() {
        asks(new Client(1));
        port.leads(shard);
        asks(new Client(1));
        asks(new Client(2));

        assertThat(cut).containsExactly(1L);
        assertThat(count(shard)).isEqualTo(1);
    }

    @Test
    void shouldRefuseWhileNobodyIsReachedAndEndWhoWasRefusedOnceSomebodyIs() {
        Client refused = new Client(1);
        for (int i = 0; i < 2; i++) {
            port.refuses(new Refusal(ErrorCode.NO_MAJORITY, "nobody leads"));
            asks(refused);
        }
        assertThat(refused.answers)
                .hasSize(2)
                .allSatisfy(frame -> assertThat(frame.payload())
                        .isEqualTo(new Failure(ErrorCode.NO_MAJORITY.number(), "nobody leads")));
        assertThat(refused.handled).isEqualTo(2);
        assertThat(cut).isEmpty();

        port.relays();
        asks(refused);
        asks(new Client(2));

        assertThat(cut).containsExactly(1L);
        assertThat(count(relay)).isEqualTo(1);
    }

    @Test
    void shouldRefuseNothingThatThisNodeLeads() {
        port.leads(shard);
        port.refuses(new Refusal(ErrorCode.NO_MAJORITY, "nobody leads"));
        asks(new Client(1));
        port.relays();
        asks(new Client(2));

        assertThat(count(shard)).isEqualTo(2);
    }

    @Test
    void shouldTellAnOperatorWhyNothingIsAnswered() {
        port.refuses(new Refusal(ErrorCode.NO_MAJORITY, "nobody leads"));
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        port.put(new ShardRequest.FromOperator<>(new OperatorRequest.DecideFormat(1), answer));

        assertThat(answer).isCompletedExceptionally();
    }
}
