package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whom a leader lets go whose log is damaged. */
class LeavesTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final SkippingClock clock = new SkippingClock();
    private final Progress progress = new Progress(clock, () -> {}, (endpoint, what) -> {});
    private final Elsewhere elsewhere = new Elsewhere();
    private boolean leads = true;
    private List<RaftPeer> peers;

    /** What the other shards say. */
    private static final class Elsewhere implements Mending.OtherShards {
        private Optional<String> leaving = Optional.empty();
        private Optional<String> behind = Optional.empty();

        @Override
        public boolean areInSync(RaftPeer peer) {
            return !behind.equals(Optional.of(peer.name()));
        }

        @Override
        public boolean mayLead(RaftPeer peer) {
            return true;
        }

        @Override
        public Optional<String> leavingBut(String node) {
            return leaving.filter(name -> !name.equals(node));
        }

        @Override
        public void chosen(RaftPeer peer) {}
    }

    /** The first of so many leads. */
    private Leaves leaves(int nodes, int copies) {
        peers = IntStream.range(0, nodes)
                .mapToObj(i -> new RaftPeer("n" + i, "127.0.0.1", 1 + i))
                .toList();
        RaftConfig config = new RaftConfig("some", peers.get(0), peers, TIMEOUT, 1 << 20, copies, List.of());
        RaftReplica.Place place = new RaftReplica.Place(
                        config, new ReplicaFiles(Path.of("nowhere")), null, new LoanDesk())
                .with(new Mending(elsewhere), new Unread());
        return new Leaves(place, new Copies(place, progress, clock), clock, () -> leads, () -> true);
    }

    private void inSync(int... nodes) {
        for (int node : nodes) {
            AppendEntriesRequest request = AppendEntriesRequest.newBuilder()
                    .setGroupId("some")
                    .setServerId("n0")
                    .setPeerId("n" + node)
                    .setTerm(1)
                    .setPrevLogTerm(1)
                    .setPrevLogIndex(10)
                    .setCommittedIndex(10)
                    .build();
            AppendEntriesResponse answer = AppendEntriesResponse.newBuilder()
                    .setTerm(1)
                    .setSuccess(true)
                    .build();
            progress.watch(peers.get(node).toEngine().getEndpoint(), request, (result, failure) -> {})
                    .complete(answer, null);
        }
    }

    @Test
    void shouldLetOneGoWhenTheOthersAreAMajorityInSync() {
        Leaves leaves = leaves(3, 0);
        inSync(1);
        assertThat(leaves.refusal("n1")).hasValue("without it 1 would be in sync, and it takes 2");
        inSync(2);
        assertThat(leaves.refusal("n1")).isEmpty();
        assertThat(leaves.refusal("n1")).as("asked again").isEmpty();
        assertThat(leaves.leaving()).as("it is in sync yet").isEmpty();
        clock.skip(TIMEOUT.multipliedBy(3));
        assertThat(leaves.leaving()).hasValue("n1");
    }

    @Test
    void shouldLetNobodyGoWhenMoreHaveToKeepWhatIsPersistent() {
        Leaves leaves = leaves(3, 3);
        inSync(1, 2);
        assertThat(leaves.refusal("n1")).hasValue("without it 2 would be in sync, and it takes 3");
    }

    @Test
    void shouldLetGoOneAtATimeHoweverManyThereAre() {
        Leaves leaves = leaves(7, 0);
        inSync(1, 2, 3, 4, 5, 6);
        assertThat(leaves.refusal("n1")).isEmpty();
        assertThat(leaves.refusal("n2")).hasValue("n1 leaves");
        clock.skip(TIMEOUT.multipliedBy(Leaves.TIMEOUTS_HELD).minusSeconds(1));
        inSync(1, 2, 3, 4, 5, 6);
        assertThat(leaves.refusal("n2")).hasValue("n1 leaves");

        clock.skip(TIMEOUT.multipliedBy(2));
        inSync(2, 3, 4, 5);
        assertThat(leaves.refusal("n2"))
                .as("whether the first is back, is seen by now")
                .isEmpty();
        assertThat(leaves.refusal("n1")).hasValue("n2 leaves");
    }

    @Test
    void shouldLetNobodyGoWhenTheLeaderCannotAndKnowWhoAsked() {
        Leaves leaves = leaves(3, 0);
        inSync(1, 2);
        leads = false;
        assertThat(leaves.refusal("n1")).hasValue("this replica does not lead");
        assertThat(leaves.isDamaged(peers.get(1))).isTrue();
        assertThat(leaves.isDamaged(peers.get(2))).isFalse();
        clock.skip(TIMEOUT.multipliedBy(4));
        assertThat(leaves.isDamaged(peers.get(1)))
                .as("it has not asked for long")
                .isFalse();
        assertThat(leaves.refusal("stranger")).hasValue("'stranger' has no vote here");
    }

    @Test
    void shouldLetTheNextGoWhenTheFirstIsBack() {
        Leaves leaves = leaves(3, 0);
        inSync(1, 2);
        assertThat(leaves.refusal("n1")).isEmpty();
        assertThat(leaves.gone()).hasValue("n1");
        clock.skip(TIMEOUT);
        leaves.isAway("n1");
        assertThat(leaves.leaving()).as("it copies").hasValue("n1");
        assertThat(leaves.refusal("n2")).hasValue("n1 leaves");

        clock.skip(Duration.ofMillis(1));
        inSync(1, 2);
        assertThat(leaves.gone()).isEmpty();
        assertThat(leaves.leaving()).isEmpty();
        assertThat(leaves.refusal("n2")).isEmpty();
    }

    @Test
    void shouldLetNobodyGoWhenAnotherNodeLeavesAnotherShard() {
        Leaves leaves = leaves(3, 0);
        inSync(1, 2);
        elsewhere.leaving = Optional.of("n1");
        assertThat(leaves.refusal("n2")).hasValue("n1 leaves");
        assertThat(leaves.gone()).as("nobody was let go here").isEmpty();
        assertThat(leaves.refusal("n1")).as("the same node").isEmpty();
    }

    @Test
    void shouldCountOnlyWhoIsInSyncInAllShards() {
        Leaves leaves = leaves(3, 0);
        inSync(1, 2);
        elsewhere.behind = Optional.of("n1");
        assertThat(leaves.refusal("n2")).hasValue("without it 1 would be in sync, and it takes 2");
        assertThat(leaves.refusal("n1")).isEmpty();
    }

    @Test
    void shouldForgetWhomItLetGoWhenALeadershipBegins() {
        Leaves leaves = leaves(7, 0);
        inSync(1, 2, 3, 4, 5, 6);
        assertThat(leaves.refusal("n1")).isEmpty();
        leaves.reset();
        assertThat(leaves.refusal("n2")).isEmpty();
        assertThat(leaves.isDamaged(peers.get(1))).isFalse();
    }
}
