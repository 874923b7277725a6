package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.PingRequest;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class PeerGuestTest {
    private static final RaftPeer ONE = new RaftPeer("one", "127.0.0.1", 7001);
    private static final RaftPeer TWO = new RaftPeer("two", "127.0.0.1", 7002);

    private final PeerNetworkConfig config = new PeerNetworkConfig("c", ONE, List.of(ONE, TWO), Optional.empty());
    private final Tidings tidings = new Tidings();
    private final EmbeddedChannel channel = guest(config, Runnable::run);

    private EmbeddedChannel guest(PeerNetworkConfig of, Executor executor) {
        return new EmbeddedChannel(new PeerGuest(
                of,
                new PeerFrame.Decoder(),
                new RequestDesk(executor, new LoanDesk()),
                tidings,
                new Refusals(),
                new Heard()));
    }

    @Test
    void shouldHearWhatIsToldOnlyByWhoHasGreeted() {
        List<String> heard = new ArrayList<>();
        tidings.listener((node, number, content) -> heard.add(node + " " + number + " " + new String(content)));
        PeerFrame told = new PeerFrame(PeerFrame.TOLD, (byte) 9, 0, "news".getBytes());
        greet();
        channel.writeInbound(told);
        assertThat(heard).containsExactly("two 9 news");

        EmbeddedChannel stranger = guest(config, Runnable::run);
        stranger.writeInbound(told);
        assertThat(stranger.isOpen()).isFalse();
        assertThat(heard).hasSize(1);
    }

    @Test
    void shouldAnswerWhoReads() {
        greet();
        ping(1);
        ping(2);

        assertThat(channel.isOpen()).isTrue();
        assertThat(answer().id()).isEqualTo(1);
        assertThat(answer().id()).isEqualTo(2);
    }

    /** Goal: what waits for a node that asks and does not read stays bounded. */
    @Test
    void shouldHangUpOnWhoAsksAndDoesNotRead() {
        greet();
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
        ping(1);

        assertThat(channel.isOpen()).isFalse();
        assertThat(answer()).isNull();
    }

    @Test
    void shouldLetAnAnswerGoWhoseAskerIsGone() {
        List<Runnable> asked = new ArrayList<>();
        EmbeddedChannel gone = guest(config, asked::add);
        gone.writeInbound(new Greeting("c", "two", "one", Introduction.Said.of("", ""), false).toFrame());
        gone.writeInbound(pingOf(1));
        gone.close();

        asked.forEach(Runnable::run);

        assertThat(asked).hasSize(1);
        gone.checkException();
    }

    /** Goal: whoever can connect can claim a name; what he says of himself must neither stay nor be answered. */
    @Test
    void shouldAnswerAPlainConnectionOnlyOnceTheNodeWasReachedAtItsAddress() {
        Map<String, String> met = new HashMap<>();
        Introduction.Register register = new Introduction.Register() {
            @Override
            public void met(String node, Introduction.Said said) {
                met.put(node, said.directory());
            }

            @Override
            public boolean claims(String node, Introduction.Said said) {
                return said.directory().equals(met.get(node));
            }
        };
        PeerNetworkConfig wary = new PeerNetworkConfig(
                () -> "c",
                ONE,
                Roster.of(List.of(ONE, TWO)),
                Optional.empty(),
                PeerNetworkConfig.Listening.at(ONE),
                PeerNetworkConfig.FRAME_BYTES_DEFAULT,
                new Introduction(Introduction.Said.of("d1", ""), register));
        EmbeddedChannel guest = guest(wary, Runnable::run);
        guest.writeInbound(new Greeting("c", "two", "one", Introduction.Said.of("d2", ""), false).toFrame());
        assertThat(guest.<PeerFrame>readOutbound().kind()).isEqualTo(PeerFrame.GREETING);

        guest.writeInbound(pingOf(1));
        assertThat(errorOf(guest.readOutbound())).contains("one has not reached two yet");
        assertThat(met).isEmpty();

        register.met("two", Introduction.Said.of("d2", ""));
        guest.writeInbound(pingOf(2));
        assertThat(errorOf(guest.readOutbound())).isEqualTo("OK");
        assertThat(guest.isOpen()).isTrue();
    }

    /** Goal: a node that was removed is not answered any more, over connections that it has nor over new ones. */
    @Test
    void shouldHangUpOnWhoWasRemoved() {
        greet();
        ping(1);
        assertThat(answer().id()).isEqualTo(1);
        Members before = Members.of(List.of(ONE.toEngine(), TWO.toEngine()));
        config.roster()
                .became(List.of(
                        new MembersFile.Change(0, 0, before),
                        new MembersFile.Change(1, 1, before.withoutPeer(TWO.toEngine()))));
        ping(2);
        assertThat(channel.isOpen()).isFalse();
        assertThat(answer()).isNull();

        EmbeddedChannel again = guest(config, Runnable::run);
        again.writeInbound(new Greeting("c", "two", "one", Introduction.Said.of("", ""), false).toFrame());
        assertThat(again.isOpen()).isFalse();
        assertThat(config.roster().hasVoted("two")).isTrue();
    }

    @Test
    void shouldNameBothNumbersWhenANodeHasAnotherNumberOfShards() {
        PeerNetworkConfig three =
                new PeerNetworkConfig("c of one, two, with 3 shards", ONE, List.of(ONE, TWO), Optional.empty());

        for (boolean joins : List.of(true, false)) {
            assertThatThrownBy(() -> three.isOfThisCluster(
                            new Greeting("c of one, two", "two", "one", Introduction.Said.of("", ""), joins)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("node 'two' of cluster 'c' has log.shards=1, and this one has log.shards=3");
        }
        assertThat(three.isOfThisCluster(new Greeting(
                        "c of one, zero, with 3 shards", "two", "one", Introduction.Said.of("", ""), true)))
                .isTrue();
    }

    @Test
    void shouldNameBothSettingsWhenOneNodeHasAllLedByOneAndAnotherBySeveral() {
        String name = "c of one, two" + PeerNetworkConfig.withShards(3);
        PeerNetworkConfig several =
                new PeerNetworkConfig(name + PeerNetworkConfig.ledBy(true), ONE, List.of(ONE, TWO), Optional.empty());

        for (boolean joins : List.of(true, false)) {
            assertThatThrownBy(() -> several.isOfThisCluster(
                            new Greeting(name, "two", "one", Introduction.Said.of("", ""), joins)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(
                            "node 'two' of cluster 'c' has cluster.leaders=one, and this one has cluster.leaders=several");
        }
        assertThat(several.isOfThisCluster(
                        new Greeting(several.cluster().get(), "two", "one", Introduction.Said.of("", ""), false)))
                .isTrue();
        assertThat(PeerNetworkConfig.shards(several.cluster().get())).isEqualTo(3);
        assertThat(PeerNetworkConfig.forGood(several.cluster().get())).isEqualTo(name);
    }

    /** Goal: who joins knows the cluster's id, and not who began it; who does not join has to know. */
    @Test
    void shouldLetInWhoJoinsByTheIdOfTheClusterAlone() {
        PeerNetworkConfig founded = new PeerNetworkConfig("c of one, zero", ONE, List.of(ONE, TWO), Optional.empty());
        assertThat(founded.isOfThisCluster(
                        new Greeting("c of one, two", "two", "one", Introduction.Said.of("", ""), true)))
                .isTrue();
        assertThat(founded.isOfThisCluster(
                        new Greeting("c of one, two", "two", "one", Introduction.Said.of("", ""), false)))
                .isFalse();
        assertThat(founded.isOfThisCluster(
                        new Greeting("d of one, two", "two", "one", Introduction.Said.of("", ""), true)))
                .isFalse();
    }

    private static String errorOf(PeerFrame answer) {
        return ((ErrorResponse) PeerMessage.of(answer.number()).parse(answer.content())).getErrorMsg();
    }

    private void greet() {
        channel.writeInbound(new Greeting("c", "two", "one", Introduction.Said.of("", ""), false).toFrame());
        assertThat(answer().kind()).isEqualTo(PeerFrame.GREETING);
    }

    private PeerFrame answer() {
        return channel.readOutbound();
    }

    private void ping(long id) {
        channel.writeInbound(pingOf(id));
    }

    private static PeerFrame pingOf(long id) {
        PingRequest request = PingRequest.newBuilder().setSendTimestamp(1).build();
        byte number = PeerMessage.of(request).orElseThrow().number();
        return new PeerFrame(PeerFrame.REQUEST, number, id, request.toByteArray());
    }
}
