package io.duramen.acceptance.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.history.History.Order;
import io.duramen.acceptance.history.History.Subscription;
import io.duramen.acceptance.history.Report.Promise;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One thread. */
class GroupOrderTest {
    private final History history = new History();

    @BeforeEach
    void subscribe() {
        history.subscribe(new Subscription("groups", "orders", Order.GROUPS));
    }

    private void send(long sequence, String group, long nanos) {
        MessageId id = new MessageId(1, sequence);
        history.sending(id, "orders", group, nanos);
        history.stored(id);
    }

    private void receive(long sequence, String consumer, long nanos) {
        history.delivered("groups", consumer, new MessageId(1, sequence), nanos).settled(nanos + 1);
    }

    @Test
    void shouldAcceptThatGroupsOvertakeEachOther() {
        send(1, "a", 1);
        send(2, "b", 2);
        receive(2, "one", 10);
        receive(1, "two", 20);
        assertThat(history.check().isClean()).isTrue();
    }

    @Test
    void shouldNoticeThatAMessageOvertakesAnotherOfItsGroupWhoeverGotIt() {
        send(1, "a", 1);
        send(2, "a", 2);
        receive(2, "one", 10);
        receive(1, "two", 20);
        assertThat(history.check().violationsOf(Promise.DISORDER))
                .singleElement()
                .asString()
                .contains("groups, a: p1#2");
    }

    @Test
    void shouldExcuseWhatWasSentBeforeAKillOrCameAfterTheNext() {
        send(1, "a", 1);
        history.killed(new Kill(3, 5));
        send(2, "a", 6);
        send(3, "a", 7);
        receive(3, "one", 10);
        receive(1, "two", 11);
        history.killed(new Kill(13, 15));
        receive(2, "two", 20);
        assertThat(history.check().isClean()).isTrue();
    }
}
