package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.TestBody;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.metadata.ShardImage;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.AwaitChecks;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.frame.DeleteDestination;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.EndHalf;
import io.duramen.protocol.frame.HalfId;
import io.duramen.protocol.frame.ListHalves;
import io.duramen.protocol.frame.PrepareHalf;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Half messages: stored, seen by nobody, then confirmed, cancelled, asked after, parked. */
class HalfMessageTest {
    private static final HalfId ONE = new HalfId(1, 11);
    private static final HalfId TWO = new HalfId(2, 22);
    private static final Duration FIRST = Duration.ofSeconds(30);

    private final TestShard shard = aShard().with("half-checks-max", "3").started();
    private TestClient client = shard.aClient().knowsQueue("orders");

    private Answer prepares(HalfId id, String text) {
        return client.asks(new PrepareHalf.Request(0, id, "shop", 0, List.of(client.aSend("orders", text))));
    }

    private Answer confirms(HalfId id) {
        return client.asks(new EndHalf.Request(0, id, true));
    }

    private Answer cancels(HalfId id) {
        return client.asks(new EndHalf.Request(0, id, false));
    }

    private Answer awaits(String group, int waitMillis) {
        return client.asks(new AwaitChecks.Request(0, group, waitMillis, 10));
    }

    private static List<HalfId> ids(Answer checks) {
        return checks.response(AwaitChecks.Response.class).checks().stream()
                .map(AwaitChecks.Check::id)
                .toList();
    }

    private List<HalfId> due() {
        Answer checks = awaits("shop", 0);
        shard.run();
        return ids(checks);
    }

    private List<ListHalves.Half> listed() {
        return client.asks(new ListHalves.Request(0, 0))
                .response(ListHalves.Response.class)
                .halves();
    }

    private List<String> left(String queue) {
        return shard.aClient().knowsQueue(queue).consumes(queue).withCredit(20).receives();
    }

    private void reconnects() {
        client = shard.aClient().knowsQueue("orders");
    }

    @Test
    void shouldBeSeenOnlyOnceConfirmed() {
        TestConsumer orders = client.consumes("orders").withCredit(10);
        prepares(ONE, "m1").isSuccess();
        client.publishes("orders", "m2").isSuccess();
        assertThat(orders.receives()).containsExactly("m2");
        shard.log().holdSyncs();
        Answer confirmed = confirms(ONE);
        confirmed.isMissing();
        shard.log().sync();
        shard.run();
        confirmed.isSuccess();
        assertThat(orders.receives()).containsExactly("m1");
        assertThat(listed()).isEmpty();
    }

    @Test
    void shouldNeverBeSeenWhenCancelled() {
        prepares(ONE, "m1").isSuccess();
        cancels(ONE).isSuccess();
        cancels(ONE).isSuccess();
        confirms(ONE).isRefusedWith(ErrorCode.HALF_ENDED);
        assertThat(left("orders")).isEmpty();
    }

    @Test
    void shouldHappenOnceWhenRepeated() {
        PrepareHalf.Request request = new PrepareHalf.Request(0, ONE, "shop", 0, List.of(client.aSend("orders", "m1")));
        shard.log().holdSyncs();
        Answer prepared = client.asks(request);
        Answer again = client.asks(request);
        Answer confirmed = confirms(ONE);
        shard.log().sync();
        shard.run();
        shard.log().sync();
        shard.run();
        prepared.isSuccess();
        again.isSuccess();
        confirmed.isSuccess();
        Answer repeat = confirms(ONE);
        shard.log().sync();
        shard.run();
        repeat.isSuccess();
        client.asks(request);
        cancels(ONE).isRefusedWith(ErrorCode.HALF_ENDED);
        confirms(TWO).isRefusedWith(ErrorCode.HALF_NOT_FOUND);
        assertThat(left("orders")).containsExactly("m1");
    }

    @Test
    void shouldAskItsGroupWhenNobodyEndsItInTime() {
        prepares(ONE, "m1").isSuccess();
        Answer checks = awaits("shop", 20_000);
        Answer others = awaits("another group", 20_000);
        shard.passes(Duration.ofSeconds(19));
        checks.isMissing();
        shard.passes(Duration.ofSeconds(1));
        assertThat(ids(checks)).isEmpty();
        assertThat(ids(others)).isEmpty();
        Answer next = awaits("shop", 20_000);
        shard.passes(Duration.ofSeconds(9));
        next.isMissing();
        shard.passes(Duration.ofSeconds(1));
        AwaitChecks.Check check =
                next.response(AwaitChecks.Response.class).checks().get(0);
        assertThat(check.id()).isEqualTo(ONE);
        assertThat(check.asks()).isEqualTo(1);
        assertThat(check.batches().get(0).destination()).isEqualTo("orders");
        assertThat(due()).isEmpty();
        confirms(ONE).isSuccess();
        shard.passes(Duration.ofHours(1));
        assertThat(due()).isEmpty();
    }

    @Test
    void shouldAskOneOfThoseWhoWaitAtATime() {
        Answer first = awaits("shop", 20_000);
        TestClient other = shard.aClient();
        Answer second = other.asks(new AwaitChecks.Request(0, "shop", 20_000, 10));
        client.asks(new PrepareHalf.Request(0, ONE, "shop", 5_000, List.of(client.aSend("orders", "m1"))));
        client.asks(new PrepareHalf.Request(0, TWO, "shop", 8_000, List.of(client.aSend("orders", "m2"))));
        shard.passes(Duration.ofSeconds(5));
        assertThat(ids(first)).containsExactly(ONE);
        second.isMissing();
        other.vanishes();
        Answer third = awaits("shop", 20_000);
        shard.passes(Duration.ofSeconds(3));
        assertThat(ids(third)).containsExactly(TWO);
        second.isMissing();
    }

    @Test
    void shouldNotAskThoseWhoWaitNoLonger() {
        prepares(ONE, "m1").isSuccess();
        Answer left = awaits("shop", 20_000);
        Answer done = client.asks(new AwaitChecks.Request(0, "shop", 0, 0));
        assertThat(ids(left)).isEmpty();
        assertThat(ids(done)).isEmpty();
        shard.passes(FIRST);
        assertThat(due()).containsExactly(ONE);
    }

    @Test
    void shouldAskAgainLaterAndLaterThenPark() {
        prepares(ONE, "m1").isSuccess();
        shard.passes(FIRST);
        assertThat(due()).containsExactly(ONE);
        shard.passes(Duration.ofSeconds(29));
        assertThat(due()).isEmpty();
        shard.passes(Duration.ofSeconds(1));
        assertThat(due()).containsExactly(ONE);
        shard.passes(Duration.ofSeconds(59));
        assertThat(due()).isEmpty();
        shard.passes(Duration.ofSeconds(1));
        assertThat(due()).containsExactly(ONE);
        shard.passes(Duration.ofSeconds(119));
        assertThat(listed().get(0).parked()).isEmpty();
        shard.passes(Duration.ofSeconds(1));
        assertThat(listed()).hasSize(1);
        assertThat(listed().get(0).parked()).contains("queue 'parked'", "asked 3 times", "shop");
        assertThat(left("parked")).containsExactly("m1");
        assertThat(left("orders")).isEmpty();
        confirms(ONE).isRefusedWith(ErrorCode.HALF_ENDED);
        cancels(ONE).isRefusedWith(ErrorCode.HALF_ENDED);
    }

    /** Asks that nobody heard do not count. */
    @Test
    void shouldWaitForItsGroupAsLongAsNobodyIsThere() {
        prepares(ONE, "m1").isSuccess();
        shard.passes(Duration.ofHours(23));
        assertThat(due()).containsExactly(ONE);
        prepares(TWO, "m2").isSuccess();
        shard.passes(Duration.ofHours(24));
        assertThat(listed()).hasSize(2).allMatch(half -> !half.parked().isEmpty());
        assertThat(listed().get(1).parked()).contains("nobody of group 'shop' was there");
        assertThat(left("parked")).containsExactly("m1", "m2");
    }

    @Test
    void shouldBeEndedWhileItIsBeingAsked() {
        prepares(ONE, "m1").isSuccess();
        shard.passes(FIRST);
        shard.log().holdSyncs();
        Answer checks = awaits("shop", 0);
        Answer confirmed = confirms(ONE);
        shard.log().sync();
        shard.run();
        assertThat(ids(checks)).containsExactly(ONE);
        confirmed.isSuccess();
        shard.passes(Duration.ofHours(1));
        assertThat(due()).isEmpty();
        assertThat(left("orders")).containsExactly("m1");
    }

    @Test
    void shouldStayWhenItsDestinationIsDeleted() {
        client.knowsTemporary("temp.orders", DestinationKind.TEMPORARY_QUEUE, 7);
        client.asks(new PrepareHalf.Request(0, ONE, "shop", 0, List.of(client.aSend("temp.orders", "m1"))))
                .isSuccess();
        client.asks(new DeleteDestination.Request("temp.orders")).isSuccess();
        confirms(ONE).isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);
        shard.passes(FIRST);
        assertThat(due()).containsExactly(ONE);
        assertThat(listed().get(0).destination()).isEmpty();
        shard.passes(Duration.ofDays(1));
        assertThat(left("parked")).containsExactly("m1");
    }

    @Test
    void shouldSurviveEveryRestart() {
        List<Consumer<TestShard>> ends = List.of(
                TestShard::restarts,
                TestShard::isKilledAndRestarts,
                TestShard::losesPowerAndRestarts,
                TestShard::restartsWithoutImage);
        int number = 100;
        for (Consumer<TestShard> end : ends) {
            HalfId waiting = new HalfId(number++, 0);
            HalfId confirmed = new HalfId(number++, 0);
            HalfId cancelled = new HalfId(number++, 0);
            prepares(waiting, "w").isSuccess();
            prepares(confirmed, "c").isSuccess();
            prepares(cancelled, "x").isSuccess();
            confirms(confirmed).isSuccess();
            cancels(cancelled).isSuccess();
            shard.passes(FIRST);
            assertThat(due()).containsExactly(waiting);
            ShardImage before = shard.image();
            end.accept(shard);
            reconnects();
            assertThat(shard.image().facts()).isEqualTo(before.facts());
            confirms(confirmed).isSuccess();
            cancels(confirmed).isRefusedWith(ErrorCode.HALF_ENDED);
            cancels(cancelled).isSuccess();
            assertThat(due()).as("asked before the restart").isEmpty();
            shard.passes(FIRST);
            assertThat(due()).containsExactly(waiting);
            confirms(waiting).isSuccess();
        }
        assertThat(left("orders")).containsExactly("c", "w", "c", "w", "c", "w", "c", "w");
    }

    @Test
    void shouldBelongToTheUserWhoStoredIt() {
        prepares(ONE, "m1").isSuccess();
        shard.passes(FIRST);
        TestClient mine = client;
        client = shard.aClient().as("somebody else").knowsQueue("orders");
        assertThat(due()).isEmpty();
        assertThat(listed()).isEmpty();
        confirms(ONE).isRefusedWith(ErrorCode.NOT_AUTHORIZED);
        prepares(ONE, "m1").isRefusedWith(ErrorCode.INVALID_REQUEST);
        client = shard.aClient().as(TestClient.ADMIN);
        assertThat(listed()).hasSize(1);
        cancels(ONE).isSuccess();
        client = mine;
        assertThat(due()).isEmpty();
        confirms(ONE).isRefusedWith(ErrorCode.HALF_ENDED);
    }

    private TestBody preparesLarge(HalfId id) {
        int partition = client.partitionOf("orders");
        TestBody body = TestBody.aBody(partition, id.high()).with(client, "abc").with(client, "def");
        PartitionBatch batch = new PartitionBatch(partition, body.message().batch());
        client.asks(new PrepareHalf.Request(0, id, "shop", 3_600_000, List.of(batch)))
                .isSuccess();
        return body;
    }

    @Test
    void shouldKeepALargeBodyUntilItsEnd() {
        TestBody one = preparesLarge(ONE);
        preparesLarge(TWO);
        one.isDropped(client).isSuccess();
        client.closes();
        shard.isKilledAndRestarts();
        shard.passes(Duration.ofMinutes(10));
        reconnects();
        assertThat(shard.image().openBodies()).hasSize(2);
        confirms(ONE).isSuccess();
        cancels(TWO).isSuccess();
        assertThat(shard.image().openBodies()).isEmpty();
        TestConsumer orders = client.consumes("orders").withCredit(5);
        assertThat(orders.receives()).hasSize(1);
        one.isFetched(client, orders.id(), client.partitionOf("orders"), 0, 1).isSuccess();
    }

    @Test
    void shouldMakeItsQueueWhenASenderComes() {
        client.asks(new PrepareHalf.Request(0, ONE, "shop", 0, List.of())).isSuccess();
        client.asks(new PrepareHalf.Request(0, ONE, "shop", 0, List.of())).isSuccess();
        assertThat(listed()).isEmpty();
        assertThat(shard.image().destinations()).extracting("name").containsExactly("orders", "parked");
    }

    @Test
    void shouldStayAHalfWhenItsQueueIsATopic() {
        client.knowsTopic("parked");
        prepares(ONE, "m1").isSuccess();
        shard.passes(Duration.ofDays(2));
        assertThat(listed()).hasSize(1).allMatch(half -> half.parked().isEmpty());
        confirms(ONE).isSuccess();
        assertThat(left("orders")).containsExactly("m1");
    }

    @Test
    void shouldForgetEndsAfterAWhile() {
        prepares(ONE, "m1").isSuccess();
        confirms(ONE).isSuccess();
        shard.passes(Duration.ofHours(25));
        prepares(TWO, "m2").isSuccess();
        confirms(TWO).isSuccess();
        confirms(ONE).isRefusedWith(ErrorCode.HALF_NOT_FOUND);
        confirms(TWO).isSuccess();
    }

    @Test
    void shouldRefuseWhatIsTooMuchOrMakesNoSense() {
        TestShard small = aShard().with("half-size", "1MiB").started();
        client = small.aClient().knowsQueue("orders");
        String text = "x".repeat(600_000);
        prepares(ONE, text).isSuccess();
        prepares(TWO, text).isRefusedWith(ErrorCode.RESOURCE_EXHAUSTED);
        cancels(ONE).isSuccess();
        prepares(TWO, text).isSuccess();
        client.asks(new PrepareHalf.Request(0, ONE, "", 0, List.of(client.aSend("orders", "m"))))
                .isRefusedWith(ErrorCode.INVALID_REQUEST);
        HalfId three = new HalfId(3, 3);
        client.asks(new PrepareHalf.Request(0, three, "shop", -1, List.of(client.aSend("orders", "m"))))
                .isRefusedWith(ErrorCode.INVALID_REQUEST);
        awaits("shop", 20_001).isRefusedWith(ErrorCode.INVALID_REQUEST);
        awaits("", 1).isRefusedWith(ErrorCode.INVALID_REQUEST);
        client.asks(new AwaitChecks.Request(0, "shop", 1, -1)).isRefusedWith(ErrorCode.INVALID_REQUEST);
    }
}
