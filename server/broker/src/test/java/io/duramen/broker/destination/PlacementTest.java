package io.duramen.broker.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.broker.destination.Placement.ByName;
import io.duramen.broker.destination.Placement.Shards;
import io.duramen.broker.destination.Placement.Wanted;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static final int[] EMPTY = {0, 0, 0, 0};
    private static final int[] ALONE = {0, 0, 0, 0};
    private static final int[] ON_NODES = {3, 1, 3, 2};

    private final Placement placement =
            new Placement(4, 1, new ByName(List.of(), List.of("scratch.*=1", "wide.*=3", "five=5"), List.of("own")));

    private Set<Integer> gone = Set.of();

    @Test
    void shouldPlaceInShardsOnAsManyNodesAsIsAskedFor() {
        assertThat(place("scratch.one", 3, ON_NODES)).containsExactly(1, 1, 1);
        assertThat(place("wide.one", 2, ON_NODES)).containsExactly(0, 2);
    }

    @Test
    void shouldPlaceInShardsOnMostNodesWhereNothingIsAskedFor() {
        assertThat(place("orders", 4, ON_NODES)).containsExactly(0, 2, 0, 2);
    }

    @Test
    void shouldTakeNoHeedOfNodesWhereThereIsOne() {
        assertThat(place("scratch.one", 2, ALONE)).containsExactly(0, 1);
        assertThat(place("five", 1, ALONE)).containsExactly(0);
    }

    @Test
    void shouldRefuseWhereNoShardIsOnSoManyNodes() {
        assertThatThrownBy(() -> place("five", 1, ON_NODES))
                .isInstanceOfSatisfying(
                        ProtocolException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_FREE_SHARD))
                .hasMessageContaining("'five' is to be on 5 nodes (broker.replicas-of)")
                .hasMessageContaining("[3, 1, 3, 2]");
    }

    @Test
    void shouldKeepToTheNodesForADestinationWithAShardOfItsOwn() {
        assertThat(place("own", 1, ON_NODES)).containsExactly(2);
        assertThatThrownBy(() -> placement.place(
                        new Wanted("own", 1, 0),
                        new Shards(new int[] {0, 0, 1, 0}, ON_NODES, Set.of()),
                        Set.of(),
                        Set.of()))
                .hasMessageContaining("or is on another number of nodes");
    }

    @Test
    void shouldRefusePoliciesThatAreNone() {
        for (String wrong : List.of("a", "a=", "a=0", "a=8", "=1", "a=x")) {
            assertThatThrownBy(() -> Placement.check(List.of(), List.of(wrong)))
                    .hasMessageContaining("broker.replicas-of: '" + wrong + "' is no NAME=COUNT");
        }
    }

    @Test
    void shouldPlaceByWhatIsAskedForBeforeWhatTheSettingsSay() {
        Shards now = new Shards(EMPTY, ON_NODES, Set.of());

        assertThat(placement.place(new Wanted("scratch.one", 2, 2), now, Set.of("own"), Set.of()))
                .containsExactly(3, 3);
        assertThatThrownBy(() -> placement.place(new Wanted("orders", 1, 7), now, Set.of("own"), Set.of()))
                .hasMessageContaining("'orders' is to be on 7 nodes (replicas, which its client chose)")
                .hasMessageContaining("[3, 1, 3, 2]");
        Shards alone = new Shards(EMPTY, new int[4], Set.of());
        assertThat(placement.place(new Wanted("orders", 1, 7), alone, Set.of("own"), Set.of()))
                .hasSize(1);
    }

    @Test
    void shouldNotPlaceInShardsThatHaveNoLeader() {
        gone = Set.of(2, 1);

        assertThat(place("orders", 2, ON_NODES)).containsExactly(0, 0);
        assertThatThrownBy(() -> place("scratch.one", 1, ON_NODES))
                .isInstanceOfSatisfying(
                        ProtocolException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_MAJORITY))
                .hasMessageContaining("'scratch.one' is to be in one of shards [1], and none of them has a leader");
    }

    private List<Integer> place(String name, int count, int[] replicas) {
        return placement.place(new Wanted(name, count, 0), new Shards(EMPTY, replicas, gone), Set.of("own"), Set.of());
    }
}
