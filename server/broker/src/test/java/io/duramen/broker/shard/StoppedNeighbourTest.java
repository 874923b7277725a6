package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.NodeClient;
import io.duramen.broker.kit.TestNode;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.CreateTemporary;
import io.duramen.protocol.frame.DeleteDestination;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.ResolveDestination;
import io.duramen.protocol.frame.Unsubscribe;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Definitions that change while a shard that they concern has stopped: until the restart the catalogue sends nobody to that
 * shard for something which it does not have, or has as it was before.
 */
class StoppedNeighbourTest {
    private static final int SHARDS = 3;
    private static final String TOPIC = "wide topic";
    private static final String NAME = "kept";

    private final TestNode node =
            TestNode.ofShards(SHARDS, 1).with("partitions-of", "wide*=5").started();
    private NodeClient client = node.aClient("me").knows(TOPIC, DestinationKind.TOPIC);

    private void stop(int shard) {
        node.log(shard).fail("EIO");
        node.run();
    }

    private void restart() {
        node.isKilledAndRestarts();
        client = node.aClient("me").knows(TOPIC, DestinationKind.TOPIC);
    }

    private Answer attach(int shard, String selector) {
        return client.asks(new Attach.Request(
                shard,
                1,
                TOPIC,
                DestinationKind.TOPIC,
                SubscriptionKind.DURABLE,
                NAME,
                selector,
                false,
                "",
                List.of()));
    }

    private void attachEverywhere(String selector) {
        for (int shard = 0; shard < SHARDS; shard++) {
            attach(shard, selector).isSuccess();
        }
    }

    private void leaveBehind(String selector) {
        attachEverywhere(selector);
        client.vanishes();
        node.run();
        client = node.aClient("me");
    }

    /** Not only by the request that it fails. */
    private void requireRefused(Record request) {
        for (int time = 1; time <= 3; time++) {
            client.asks(request).isRefusedWith(ErrorCode.SHARD_STOPPED);
        }
    }

    private void requireAttachRefused(String selector) {
        for (int time = 1; time <= 3; time++) {
            attach(0, selector).isRefusedWith(ErrorCode.SHARD_STOPPED);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldRefuseANewSubscriptionUntilTheRestart(int stopped) {
        stop(stopped);

        requireAttachRefused("");
        requireRefused(new Unsubscribe.Request(NAME));

        restart();
        attachEverywhere("");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldRefuseAReplacedSubscriptionUntilTheRestart(int stopped) {
        leaveBehind("");
        stop(stopped);

        requireAttachRefused("a = 1");
        requireAttachRefused("");

        restart();
        attachEverywhere("a = 1");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldRefuseASubscriptionOfTheNameOfARemovedOneUntilTheRestart(int stopped) {
        leaveBehind("");
        stop(stopped);

        requireRefused(new Unsubscribe.Request(NAME));
        requireAttachRefused("");

        restart();
        client.asks(new Unsubscribe.Request(NAME)).isRefusedWith(ErrorCode.SUBSCRIPTION_NOT_FOUND);
        attachEverywhere("");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldRefuseANewDestinationUntilTheRestart(int stopped) {
        stop(stopped);

        requireRefused(new ResolveDestination.Request("wide queue", DestinationKind.QUEUE, true));
        client.attaches(0, 1, "wide queue", SubscriptionKind.QUEUE, "").isRefusedWith(ErrorCode.SHARD_STOPPED);

        restart();
        client.knowsQueue("wide queue").consumes("wide queue", SubscriptionKind.QUEUE, "", 1);
    }

    @Test
    void shouldRefuseADeletedDestinationUntilTheRestart() {
        Record create = new CreateTemporary.Request(DestinationKind.TEMPORARY_QUEUE, "temp.one", 5);
        int home = client.asks(create)
                .response(ResolveDestination.Response.class)
                .partitions()
                .get(0)
                .shard();
        assertThat(home).isEqualTo(2);
        stop(2);

        client.asks(new DeleteDestination.Request("temp.one")).isRefusedWith(ErrorCode.SHARD_STOPPED);
        requireRefused(create);

        restart();
        client.asks(create).isSuccess();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldGoOnWithWhatWasThereWhenTheShardStopped(int stopped) {
        leaveBehind("");
        stop(stopped);

        attachEverywhere("");
        client.attaches(0, 2, TOPIC, SubscriptionKind.EXCLUSIVE, "").isSuccess();
    }
}
