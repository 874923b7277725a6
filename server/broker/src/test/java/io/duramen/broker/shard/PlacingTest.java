package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.NodeClient;
import io.duramen.broker.kit.TestNode;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.ResolveDestination;
import org.junit.jupiter.api.Test;

/** Where a destination is placed that its client wants to have on so many nodes. */
class PlacingTest {
    private final TestNode node = TestNode.ofShards(4, 1)
            .onNodes(3, 1, 3, 2)
            .with("partitions-of", "wide*=3")
            .with("replicas-of", "scratch.*=1")
            .started();

    private final NodeClient client = node.aClient();

    private NodeClient makes(String name, int replicas) {
        asks(name, replicas).isSuccess();
        return client.knowsQueue(name);
    }

    private Answer asks(String name, int replicas) {
        return client.asks(new ResolveDestination.Request(name, DestinationKind.QUEUE, true, replicas));
    }

    @Test
    void shouldPlaceOnAsManyNodesAsIsAskedFor() {
        assertThat(makes("one", 1).places("one"))
                .extracting(PartitionRef::shard)
                .containsExactly(1);
        assertThat(makes("two", 2).places("two"))
                .extracting(PartitionRef::shard)
                .containsExactly(3);
        assertThat(makes("wide", 3).places("wide"))
                .extracting(PartitionRef::shard)
                .containsExactly(0, 2, 0);
    }

    @Test
    void shouldPlaceAsTheSettingsSayOnlyWhereNothingIsAskedFor() {
        assertThat(makes("scratch.a", 0).place("scratch.a").shard()).isEqualTo(1);
        assertThat(makes("scratch.b", 2).place("scratch.b").shard()).isEqualTo(3);
        assertThat(makes("orders", 0).place("orders").shard()).isIn(0, 2);
    }

    @Test
    void shouldRefuseANumberThatNoShardIsOn() {
        Answer refused = asks("seven", 7).isRefusedWith(ErrorCode.NO_FREE_SHARD);
        assertThat(refused.failure().detail())
                .contains("'seven' is to be on 7 nodes (replicas, which its client chose)", "[3, 1, 3, 2]");
        asks("eight", 8).isRefusedWith(ErrorCode.INVALID_REQUEST);
        asks("less", -1).isRefusedWith(ErrorCode.INVALID_REQUEST);
        assertThat(makes("seven", 3).place("seven").shard()).isIn(0, 2);
    }

    @Test
    void shouldLeaveOneThatIsThereWhereItIs() {
        int before = makes("orders", 0).place("orders").shard();

        assertThat(makes("orders", 1).place("orders").shard()).isEqualTo(before);
        asks("orders", 7).isSuccess();
    }

    @Test
    void shouldPlaceAnywhereOnANodeByItself() {
        NodeClient alone = TestNode.ofShards(2, 1).started().aClient();

        alone.asks(new ResolveDestination.Request("orders", DestinationKind.QUEUE, true, 5))
                .isSuccess();
    }
}
