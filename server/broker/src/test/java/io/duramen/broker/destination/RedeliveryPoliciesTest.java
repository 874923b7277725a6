package io.duramen.broker.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.protocol.frame.DestinationKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What settings say of redelivery. */
class RedeliveryPoliciesTest {
    private static final RedeliveryPolicy USUAL = new RedeliveryPolicy(10, 1, 1000, 2, 60_000, "DLQ.*");

    private static Destination a(DestinationKind kind, String name) {
        return new Destination(new DestinationRow(name, kind.ordinal(), 0, List.of()), 0);
    }

    private static Destination queue(String name) {
        return a(DestinationKind.QUEUE, name);
    }

    @Test
    void shouldTakeTheFirstThatMatchesAndTheUsualForTheRest() {
        RedeliveryPolicies policies = new RedeliveryPolicies(
                USUAL,
                List.of("orders.*=max:3 delay:5s  dead-letters:failed", "o*=at-once:0 multiplier:1 delay-max:1h"));
        assertThat(policies.of(queue("orders.eu"))).isEqualTo(new RedeliveryPolicy(3, 1, 5000, 2, 60_000, "failed"));
        assertThat(policies.of(queue("other"))).isEqualTo(new RedeliveryPolicy(10, 0, 1000, 1, 3_600_000, "DLQ.other"));
        assertThat(policies.of(queue("x"))).isEqualTo(new RedeliveryPolicy(10, 1, 1000, 2, 60_000, "DLQ.x"));
        assertThat(policies.of(a(DestinationKind.TEMPORARY_QUEUE, "temp.1")).deadLetterQueue())
                .isEqualTo("DLQ.temporary");
    }

    @Test
    void shouldHaveNoMaximumForQueuesOfDeadLetters() {
        RedeliveryPolicies policies = new RedeliveryPolicies(USUAL, List.of("a=dead-letters:b", "b=dead-letters:a"));
        for (String name : List.of("DLQ.x", "DLQ.DLQ.x", "a", "b")) {
            assertThat(policies.isDeadLetterQueue(name)).as(name).isTrue();
            assertThat(policies.of(queue(name)).isSpent(Integer.MAX_VALUE))
                    .as(name)
                    .isFalse();
            assertThat(policies.of(queue(name)).hasDeadLetters()).as(name).isFalse();
        }
        assertThat(policies.isDeadLetterQueue("orders")).isFalse();
    }

    @Test
    void shouldCutANameThatIsTooLong() {
        String name = "\u00e4".repeat(126);
        assertThat(new RedeliveryPolicies(USUAL, List.of()).of(queue(name)).deadLetterQueue())
                .isEqualTo("DLQ." + name.substring(0, 125));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "orders",
                "=max:1",
                "a=max",
                "a=max:-1",
                "a=max:99999999",
                "a=multiplier:0",
                "a=delay:soon",
                "a=often:1",
                "a=dead-letters:*",
                "a=dead-letters:",
                "a=dead-letters:temp.x"
            })
    void shouldRefuseWhatIsNoPolicy(String text) {
        assertThatThrownBy(() -> new RedeliveryPolicies(USUAL, List.of(text)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldWaitLongerEachTimeUpToTheLongest() {
        assertThat(USUAL.waitMillis(1)).isZero();
        assertThat(USUAL.waitMillis(2)).isEqualTo(1000);
        assertThat(USUAL.waitMillis(3)).isEqualTo(2000);
        assertThat(USUAL.waitMillis(7)).isEqualTo(32_000);
        assertThat(USUAL.waitMillis(Integer.MAX_VALUE)).isEqualTo(60_000);
        RedeliveryPolicy even = new RedeliveryPolicy(0, 0, 50, 1, 60_000, "");
        assertThat(even.waitMillis(Integer.MAX_VALUE)).isEqualTo(50);
    }
}
