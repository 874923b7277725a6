package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.broker.kit.NodeClient;
import io.duramen.broker.kit.TestNode;
import io.duramen.broker.shard.ControlRecord.DestinationCreated;
import io.duramen.broker.shard.ShardMessage.DefineAll;
import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.metadata.ShardImage.PartitionRow;
import io.duramen.protocol.frame.PartitionRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a shard does where the catalogue's list of a destination's partitions is not its own: it deletes no messages. */
class FollowedDefinitionsTest {
    private static final int SHARD = 1;
    private static final int FURTHER = 50;
    private static final Duration INTERVAL = Duration.ofSeconds(11);

    private final TestNode node =
            TestNode.ofShards(2, 1).with("partitions-of", "wide=4").started();
    private List<PartitionRow> before;

    @BeforeEach
    void store() {
        NodeClient client = node.aClient().knowsQueue("wide");
        for (PartitionRef place : client.places("wide")) {
            client.publishes(place, "m").isSuccess();
        }
        before = there();
        assertThat(before).hasSize(2).allMatch(row -> row.nextOffset() == 1);
    }

    private List<PartitionRow> there() {
        return node.image(SHARD).destinations().get(0).partitions();
    }

    private DefineAll catalogue(List<Integer> partitions) {
        DestinationRow row = node.image(SHARD).destinations().get(0);
        int queue = node.image(SHARD).subscriptions().get(0).subscription();
        List<PartitionRow> rows =
                partitions.stream().map(id -> PartitionRow.empty(id, SHARD)).toList();
        return new DefineAll(
                99,
                List.of(new DestinationCreated(
                        new DestinationRow(row.name(), row.kind(), row.incarnation(), rows), queue)),
                List.of());
    }

    private List<Integer> ids() {
        return before.stream().map(PartitionRow::partition).toList();
    }

    private List<Integer> more() {
        List<Integer> more = new ArrayList<>(ids());
        more.add(FURTHER);
        return more;
    }

    @Test
    void shouldGetWhatItLacksWhenTheCatalogueHasMore() {
        node.tells(SHARD, catalogue(more()));
        List<PartitionRow> expected = new ArrayList<>(before);
        expected.add(PartitionRow.empty(FURTHER, SHARD));
        assertThat(there()).isEqualTo(expected);
    }

    @Test
    void shouldKeepWhatItHasWhenTheCatalogueHasLess() {
        node.tells(SHARD, catalogue(ids().subList(0, 1)));
        assertThat(there()).isEqualTo(before);
    }

    @Test
    void shouldStopAndDeleteNothingWhenTheListsContradictEachOther() {
        assertThatThrownBy(() -> node.tells(SHARD, catalogue(List.of(FURTHER, ids().get(0)))))
                .hasMessageContaining("'wide' has the partitions")
                .hasMessageContaining("nothing of it is deleted");
        assertThat(there()).isEqualTo(before);
    }

    @Test
    void shouldMakeAnotherWhenTheOneThatItHasWasDeletedInTheCatalogue() {
        node.tells(SHARD, catalogue(List.of(FURTHER)));
        assertThat(there()).containsExactly(PartitionRow.empty(FURTHER, SHARD));
    }

    /** The store that fails has the destination as it was before: what it has got since must not go with it. */
    @Test
    void shouldStorePartitionsThatCameWhileAStoreThatFailsWasOnItsWay() {
        node.store(SHARD).forget();
        node.isKilledAndRestarts();
        node.store(SHARD).hold();
        node.store(SHARD).setFailing(true);
        node.passes(INTERVAL);
        node.tells(SHARD, catalogue(more()));
        node.store(SHARD).complete();
        node.run();
        node.store(SHARD).setFailing(false);
        node.passes(INTERVAL);
        node.passes(INTERVAL);
        assertThat(there()).hasSize(3);
        assertThat(node.store(SHARD).last()).contains(node.image(SHARD));
    }
}
