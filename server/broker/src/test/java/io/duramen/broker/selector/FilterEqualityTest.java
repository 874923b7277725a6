package io.duramen.broker.selector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Consumers whose filters are equal share one look at each message: equal are those, and only those, that take the same. */
class FilterEqualityTest {
    private static final SelectorLimits LIMITS = new SelectorLimits(1_000, 10, 100);

    private static MessageFilter filter(String selector, String publisher) {
        return SubscriptionFilter.of(Selector.parse(selector, LIMITS), publisher);
    }

    @Test
    void shouldBeEqualWhenTextAndPublisherAre() {
        assertThat(filter("a = 1", "me")).isEqualTo(filter("a = 1", "me")).hasSameHashCodeAs(filter("a = 1", "me"));
        assertThat(filter("a = 1", "")).isEqualTo(filter("a = 1", "")).hasSameHashCodeAs(filter("a = 1", ""));
        assertThat(SubscriptionFilter.of(MessageFilter.ALL, "me"))
                .isEqualTo(SubscriptionFilter.of(MessageFilter.ALL, "me"))
                .hasSameHashCodeAs(SubscriptionFilter.of(MessageFilter.ALL, "me"));
    }

    @Test
    void shouldDifferWhenTextOrPublisherDoes() {
        assertThat(filter("a = 1", "me"))
                .isNotEqualTo(filter("a = 1", "you"))
                .isNotEqualTo(filter("a = 2", "me"))
                .isNotEqualTo(filter("a = 1", ""))
                .isNotEqualTo(SubscriptionFilter.of(MessageFilter.ALL, "me"))
                .isNotEqualTo(null);
        assertThat(filter("a = 1", "")).isNotEqualTo(filter("a = 2", "")).isNotEqualTo(filter("a = 1", "me"));
    }

    @Test
    void shouldTellByItsHashWhatDiffers() {
        assertThat(filter("a = 1", "me").hashCode())
                .isNotEqualTo(filter("a = 1", "you").hashCode())
                .isNotEqualTo(filter("a = 2", "me").hashCode());
        assertThat(filter("a = 1", "").hashCode())
                .isNotEqualTo(filter("a = 2", "").hashCode());
    }
}
