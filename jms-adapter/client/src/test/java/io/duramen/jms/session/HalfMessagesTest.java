package io.duramen.jms.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.peer.ScriptedNode;
import io.duramen.jms.peer.Wires;
import io.duramen.jms.session.HalfMessageChecker.Check;
import io.duramen.jms.session.HalfMessageChecker.Verdict;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.AwaitChecks;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.EndHalf;
import io.duramen.protocol.frame.HalfId;
import io.duramen.protocol.frame.ListHalves;
import io.duramen.protocol.frame.PrepareHalf;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class HalfMessagesTest {
    private static final HalfId ID = new HalfId(0xAB, 0xCD);
    private static final String NAME = "0-00000000000000ab00000000000000cd";

    private ScriptedNode node;
    private DuramenConnection connection;
    private HalfMessageSender sender;
    private Queue queue;

    @BeforeEach
    void connect() throws Exception {
        node = ScriptedNode.start();
        connection = (DuramenConnection) new DuramenConnectionFactory(node.url()).createConnection();
        CompletableFuture<HalfMessageSender> made = inBackground(() -> connection.createHalfMessageSender("shop"));
        ScriptedNode.Received first = node.expect(PrepareHalf.Request.class);
        assertThat(((PrepareHalf.Request) first.frame().payload()).batches()).isEmpty();
        first.answer(new PrepareHalf.Response());
        sender = made.get(10, TimeUnit.SECONDS);
        queue = sender.session().createQueue("out");
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
        node.close();
    }

    private <T> CompletableFuture<T> inBackground(java.util.concurrent.Callable<T> action) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return action.call();
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        });
    }

    private CompletableFuture<HalfMessage> prepares(String text) {
        return inBackground(() -> sender.prepare(queue, sender.session().createTextMessage(text)));
    }

    @Test
    void shouldSayOnlyThatItConfirmsWhatWasStored() throws Exception {
        sender.setCheckAfter(Duration.ofSeconds(7));
        CompletableFuture<HalfMessage> prepared = prepares("m1");
        ScriptedNode.Received received = node.expect(PrepareHalf.Request.class);
        PrepareHalf.Request request = (PrepareHalf.Request) received.frame().payload();
        assertThat(request.group()).isEqualTo("shop");
        assertThat(request.checkAfterMillis()).isEqualTo(7_000);
        assertThat(Wires.texts(request.batches().get(0).batch())).containsExactly("m1");
        assertThat(prepared).isNotDone();
        received.answer(new PrepareHalf.Response());
        HalfMessage half = prepared.get(10, TimeUnit.SECONDS);
        assertThat(half.id()).isEqualTo("0-" + request.id());
        node.politely(EndHalf.Request.class, end -> new EndHalf.Response());
        half.confirm();
        sender.cancel(NAME);
        assertThat(node.handled(EndHalf.Request.class))
                .containsExactly(new EndHalf.Request(0, request.id(), true), new EndHalf.Request(0, ID, false));
        assertThatThrownBy(() -> sender.confirm("x")).isInstanceOf(JMSException.class);
    }

    @Test
    void shouldLeaveNothingBehindWhenItIsRefused() throws Exception {
        CompletableFuture<HalfMessage> refused = prepares("m1");
        node.expect(PrepareHalf.Request.class).refuse(ErrorCode.RESOURCE_EXHAUSTED, "broker.half-size");
        assertThatThrownBy(() -> refused.get(10, TimeUnit.SECONDS)).hasMessageContaining("broker.half-size");
        prepares("m2");
        assertThat(Wires.texts(node.expected(PrepareHalf.Request.class)
                        .batches()
                        .get(0)
                        .batch()))
                .containsExactly("m2");
    }

    @Test
    void shouldTellWhenItEndedInAnotherWay() throws Exception {
        CompletableFuture<Object> confirmed = inBackground(() -> {
            sender.confirm(NAME);
            return null;
        });
        node.expect(EndHalf.Request.class).refuse(ErrorCode.HALF_ENDED, "parked");
        assertThatThrownBy(() -> confirmed.get(10, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("parked");
    }

    private AwaitChecks.Response aCheck(int asks) throws Exception {
        prepares("m1");
        PrepareHalf.Request prepared = node.expected(PrepareHalf.Request.class);
        return new AwaitChecks.Response(List.of(new AwaitChecks.Check(
                ID,
                asks,
                1_790_000_000_000L,
                List.of(new AwaitChecks.HalfBatch(
                        "out", DestinationKind.QUEUE, prepared.batches().get(0))))));
    }

    @Test
    void shouldTellTheNodeWhatItsCheckerKnows() throws Exception {
        AwaitChecks.Response once = aCheck(1);
        BlockingQueue<Check> asked = new LinkedBlockingQueue<>();
        BlockingQueue<Verdict> said =
                new LinkedBlockingQueue<>(List.of(Verdict.UNKNOWN, Verdict.CONFIRM, Verdict.CANCEL));
        HalfMessageChecks checks = connection.checkHalfMessages("shop", check -> {
            asked.add(check);
            return said.take();
        });
        ScriptedNode.Received wait = node.expect(AwaitChecks.Request.class);
        assertThat(((AwaitChecks.Request) wait.frame().payload()).group()).isEqualTo("shop");
        wait.answer(once);
        node.expect(AwaitChecks.Request.class).answer(once); // it did not know
        ScriptedNode.Received end = node.expect(EndHalf.Request.class);
        assertThat(end.frame().payload()).isEqualTo(new EndHalf.Request(0, ID, true));
        end.answer(new EndHalf.Response());
        node.expect(AwaitChecks.Request.class);
        Check check = asked.take();
        assertThat(check.id()).isEqualTo(NAME);
        assertThat(check.asks()).isEqualTo(1);
        assertThat(check.prepared()).isEqualTo(Instant.ofEpochMilli(1_790_000_000_000L));
        assertThat(check.message().getBody(String.class)).isEqualTo("m1");
        assertThat(check.message().getJMSDestination()).isEqualTo(queue);
        checks.close();
        assertThat(node.expected(AwaitChecks.Request.class).max()).isZero();
    }

    @Test
    void shouldGoOnWhenItsCheckerThrowsOrSomebodyElseEndedIt() throws Exception {
        AwaitChecks.Response once = aCheck(1);
        BlockingQueue<Check> asked = new LinkedBlockingQueue<>();
        connection.checkHalfMessages("shop", check -> {
            asked.add(check);
            if (asked.size() == 1) {
                throw new java.io.IOException("the database is away");
            }
            return Verdict.CANCEL;
        });
        node.expect(AwaitChecks.Request.class).answer(once);
        node.expect(AwaitChecks.Request.class).answer(once);
        node.expect(EndHalf.Request.class).refuse(ErrorCode.HALF_ENDED, "confirmed");
        node.expect(AwaitChecks.Request.class);
        assertThat(asked).hasSize(2);
    }

    @Test
    void shouldAskAgainOverAnotherConnection() throws Exception {
        connection.checkHalfMessages("shop", check -> Verdict.UNKNOWN);
        node.expect(AwaitChecks.Request.class);
        node.drop();
        node.expect(AwaitChecks.Request.class);
    }

    @Test
    void shouldListAPageAfterTheOther() throws Exception {
        ListHalves.Half half = new ListHalves.Half(ID, "shop", "out", 5, 2, "");
        node.politely(
                ListHalves.Request.class,
                list -> new ListHalves.Response(
                        list.skip() == 0 ? java.util.Collections.nCopies(ListHalves.PAGE_MAX, half) : List.of(half)));
        List<HalfMessageState> all = connection.halfMessages();
        assertThat(all).hasSize(ListHalves.PAGE_MAX + 1);
        assertThat(all.get(0)).isEqualTo(new HalfMessageState(NAME, "shop", "out", Instant.ofEpochMilli(5), 2, ""));
        assertThat(all.get(0).isParked()).isFalse();
    }
}
