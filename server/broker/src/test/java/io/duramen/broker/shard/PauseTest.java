package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.NodeClient;
import io.duramen.broker.kit.Records;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestNode;
import io.duramen.broker.kit.TestShard;
import io.duramen.broker.shard.OperatorRequest.DeleteDestination;
import io.duramen.broker.shard.OperatorRequest.ListDestinations;
import io.duramen.broker.shard.OperatorRequest.ListSubscriptions;
import io.duramen.broker.shard.OperatorRequest.PauseDestination;
import io.duramen.broker.shard.OperatorRequest.PauseSubscription;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Publish.Acks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What is paused hands out nothing, whatever happens, until it goes on. */
class PauseTest {
    private TestShard shard = aShard().started();
    private TestClient client = shard.aClient("shop").knowsQueue("orders").knowsTopic("news");

    private <A> A told(OperatorRequest<A> request) {
        CompletableFuture<A> answer = shard.asks(request);
        assertThat(answer).isCompleted();
        return answer.join();
    }

    private boolean isPaused(String queue) {
        return told(new ListDestinations(queue, "", 1)).entries().get(0).paused();
    }

    @Test
    void shouldHandOutNothingOfAPausedQueue() {
        TestConsumer consumer = client.consumes("orders").withCredit(9);
        told(new PauseDestination("orders", true));
        client.publishes("orders", "m1", "m2").isSuccess();
        assertThat(consumer.receives()).isEmpty();
        assertThat(isPaused("orders")).isTrue();
        told(new PauseDestination("orders", false));
        assertThat(consumer.receives()).containsExactly("m1", "m2");
        assertThat(isPaused("orders")).isFalse();
    }

    @Test
    void shouldLeaveInHandWhatWasHandedOutBefore() {
        client.publishes("orders", "m1", "m2").isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(2);
        assertThat(consumer.receives()).containsExactly("m1", "m2");
        told(new PauseDestination("orders", true));
        consumer.accepts("m1").isSuccess();
        consumer.rejects("m2").isSuccess();
        assertThat(consumer.withCredit(9).receives()).isEmpty();
        told(new PauseDestination("orders", false));
        assertThat(consumer.receives()).containsExactly("m2");
    }

    @Test
    void shouldHandOutNothingToSelectorsThatAreFedByAnIndex() {
        TestConsumer consumer =
                client.consumer("orders", SubscriptionKind.QUEUE, "").selecting("name = 'm1'");
        consumer.attaches().isSuccess();
        consumer.withCredit(9);
        told(new PauseDestination("orders", true));
        client.publishes(
                        "orders",
                        Acks.ALL,
                        Batches.of("m1").each(text -> Records.aRecord().with("name", text)))
                .isSuccess();
        assertThat(consumer.receives()).isEmpty();
        told(new PauseDestination("orders", false));
        assertThat(consumer.receives()).containsExactly("m1");
    }

    @Test
    void shouldStayPausedWhateverHappensToTheNode() {
        client.publishes("orders", "m1").isSuccess();
        told(new PauseDestination("orders", true));
        for (int way = 0; way < 4; way++) {
            shard = switch (way) {
                case 0 -> shard.losesPowerAndRestarts();
                case 1 -> shard.restarts();
                case 2 -> shard.restartsWithoutImage();
                default -> shard.isKilledAndRestarts();
            };
            assertThat(isPaused("orders")).as("way %d", way).isTrue();
            TestClient reader = shard.aClient().knowsQueue("orders");
            assertThat(reader.consumes("orders").withCredit(9).receives()).isEmpty();
            reader.vanishes();
        }
        told(new PauseDestination("orders", false));
        shard = shard.restarts();
        assertThat(shard.aClient()
                        .knowsQueue("orders")
                        .consumes("orders")
                        .withCredit(9)
                        .receives())
                .containsExactly("m1");
    }

    @Test
    void shouldPauseOneSubscriptionOfATopicOrAllThatThereAreAndWillBe() {
        TestConsumer archive =
                client.subscribes("news", SubscriptionKind.DURABLE, "archive").withCredit(9);
        TestConsumer other = client.subscribes("news", SubscriptionKind.SHARED_DURABLE, "other")
                .withCredit(9);
        told(new PauseSubscription("shop", "archive", true));
        client.publishes("news", "m1").isSuccess();
        assertThat(archive.receives()).isEmpty();
        assertThat(other.receives()).containsExactly("m1");
        assertThat(told(new ListSubscriptions("news", 0, 9)).entries())
                .extracting(OperatorRequest.SubscriptionEntry::paused)
                .containsExactly(true, false);
        told(new PauseDestination("news", true));
        TestConsumer soft =
                client.subscribes("news", SubscriptionKind.EXCLUSIVE, "").withCredit(9);
        client.publishes("news", "m2").isSuccess();
        assertThat(soft.receives()).isEmpty();
        told(new PauseSubscription("shop", "archive", false));
        assertThat(archive.receives()).isEmpty();
        told(new PauseDestination("news", false));
        assertThat(soft.receives()).containsExactly("m2");
        assertThat(archive.receives()).containsExactly("m1", "m2");
        assertThat(other.receives()).containsExactly("m2");
    }

    @Test
    void shouldForgetWhatIsDeleted() {
        told(new PauseDestination("orders", true));
        told(new DeleteDestination("orders"));
        client = shard.aClient().knowsQueue("orders");
        client.publishes("orders", "m1").isSuccess();
        assertThat(isPaused("orders")).isFalse();
        assertThat(client.consumes("orders").withCredit(9).receives()).containsExactly("m1");
        assertThat(shard.image().facts()).isEmpty();
    }

    @Test
    void shouldRefuseWhatIsNotThere() {
        for (OperatorRequest<?> request :
                List.of(new PauseDestination("none", true), new PauseSubscription("", "none", true))) {
            assertThat(shard.asks(request))
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOfSatisfying(
                            ProtocolException.class,
                            refusal -> assertThat(refusal.code())
                                    .isIn(ErrorCode.DESTINATION_NOT_FOUND, ErrorCode.SUBSCRIPTION_NOT_FOUND));
        }
    }

    @Test
    void shouldBeTheSameInAllShardsWheneverTheNodeDies() {
        for (boolean paused : new boolean[] {true, false}) {
            for (long seed = 0; seed < 20; seed++) {
                TestNode node = TestNode.ofShards(3, seed)
                        .with("partitions", "3")
                        .withLazyDisks()
                        .started();
                node.aClient().knowsQueue("wide");
                if (!paused) {
                    node.asks(0, new PauseDestination("wide", true));
                    node.run();
                }
                node.asks(0, new PauseDestination("wide", paused));
                node.dyingAt(ShardMessage.Define.class::isInstance).run();
                node = seed % 2 == 0 ? node.losesPowerAndRestarts() : node.isKilledAndRestarts();
                NodeClient client = node.aClient().knowsQueue("wide");
                assertThat(client.places("wide"))
                        .extracting(PartitionRef::shard)
                        .containsExactlyInAnyOrder(0, 1, 2);
                for (PartitionRef place : client.places("wide")) {
                    client.publishes(place, "m").isSuccess();
                }
                client.consumes("wide", SubscriptionKind.QUEUE, "", 100);
                assertThat(client.texts())
                        .as("paused %s, seed %d", paused, seed)
                        .hasSize(paused ? 0 : 3);
            }
        }
    }
}
