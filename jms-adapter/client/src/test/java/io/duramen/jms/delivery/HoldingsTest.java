package io.duramen.jms.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Attach.HeldDeliveries;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Settle;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class HoldingsTest {
    private final Holdings holdings = new Holdings(new Subscribing(
            0,
            1,
            "orders",
            DestinationKind.QUEUE,
            new Subscribing.Choice(Attach.SubscriptionKind.QUEUE, "", "", false),
            "",
            Attach.Backoff.AS_NODE));

    private static Delivery delivery(long offset) {
        return new Delivery(1, offset, offset, 1, ByteBuffer.allocate(0));
    }

    private static List<HeldDeliveries> held(long first, long last) {
        return List.of(new HeldDeliveries(1, List.of(new OffsetRange(first, last))));
    }

    @Test
    void shouldNotSettleWhatTheNodeNoLongerLends() {
        holdings.giveAccepted(delivery(1));
        holdings.giveAccepted(delivery(2));
        holdings.lost(held(1, 1));
        List<Settle.Request> settlements = holdings.askGathered(2, null);
        assertThat(settlements).hasSize(1);
        assertThat(settlements.get(0).ranges()).containsExactly(OffsetRange.of(2));
    }

    @Test
    void shouldLetTheNodeRefuseWhatTheApplicationStillHas() {
        holdings.give(delivery(1));
        holdings.lost(held(1, 1));
        assertThat(holdings.given()).hasSize(1);
        assertThat(holdings.held()).isEqualTo(held(1, 1));
    }

    /** It was rolled back elsewhere: what the branch is told later is nothing of whoever has it now. */
    @Test
    void shouldLeaveToItsNewOwnerWhatWasGivenAgainWhileABranchHadIt() {
        holdings.give(delivery(1));
        holdings.give(delivery(2));
        List<Commit.ConsumerSettlement> first = holdings.enlistGiven();
        holdings.give(delivery(2));
        Commit.ConsumerSettlement before = first.get(0);
        Settle.Request back = holdings.ask(before.partition(), before.ranges(), Settle.Outcome.REJECTED, 2, "");
        assertThat(back.ranges()).containsExactly(OffsetRange.of(1));
        holdings.answered(back, false);
        assertThat(holdings.held()).isEqualTo(held(2, 2));
        assertThat(holdings.given().get(0).ranges()).containsExactly(OffsetRange.of(2));
        List<Commit.ConsumerSettlement> second = holdings.enlistGiven();
        holdings.give(delivery(2));
        second.forEach(holdings::committed);
        assertThat(holdings.given().get(0).ranges()).containsExactly(OffsetRange.of(2));
        holdings.enlistGiven().forEach(holdings::committed);
        assertThat(holdings.isEmpty()).isTrue();
    }
}
