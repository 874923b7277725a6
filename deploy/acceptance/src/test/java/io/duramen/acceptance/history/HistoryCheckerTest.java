package io.duramen.acceptance.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.history.History.Order;
import io.duramen.acceptance.history.History.Subscription;
import io.duramen.acceptance.history.Report.Promise;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One thread. Shows that the checker keeps quiet where all is well and notices each kind of damage. */
class HistoryCheckerTest {
    private static final Subscription SHARED = new Subscription("shared", "orders", Order.EACH);
    private static final Subscription SINGLE = new Subscription("single", "news", Order.ONE);

    private final History history = new History();

    @BeforeEach
    void subscribe() {
        history.subscribe(SHARED);
        history.subscribe(SINGLE);
    }

    @Test
    void shouldBeCleanWhenAllArrivesOnceAndInOrder() {
        for (int i = 1; i <= 3; i++) {
            store(i, "orders");
            deliver("shared", "a", i, 10 * i).settled(10 * i + 1);
        }
        assertThat(history.check().isClean()).isTrue();
    }

    /** A commit that began before a kill and was refused after it gave back what lay unseen beside it. */
    @Test
    void shouldExcuseTheOrderWhenAnotherGaveBackInACallThatOutlastedAKill() {
        for (int i = 1; i <= 4; i++) {
            store(i, "orders");
        }
        Delivery held = deliver("shared", "b", 1, 10);
        history.killed(new Kill(20, 30));
        deliver("shared", "a", 2, 40).settled(41);
        deliver("shared", "a", 4, 50).settled(51);
        held.released(15, 52);
        deliver("shared", "a", 3, 60).settled(61);
        deliver("shared", "a", 1, 62).settled(63);
        assertThat(history.check().toString()).contains("0 first deliveries out of");
    }

    @Test
    void shouldNoticeALossWhenAStoredMessageNeverArrives() {
        store(1, "orders");
        store(2, "orders");
        deliver("shared", "a", 2, 20).settled(21);

        assertOnly(Promise.LOST, "p1#1");
    }

    @Test
    void shouldNotCallItALossWhenTheSendWasInDoubt() {
        history.sending(id(1), "orders", Sent.NO_TRANSACTION);

        assertThat(history.check().isClean()).isTrue();
    }

    @Test
    void shouldNoticeAnInventionWhenARolledBackMessageArrives() {
        history.sending(id(1), "orders", 7);
        history.ended(7, Sent.Outcome.ROLLED_BACK);
        deliver("shared", "a", 1, 10).settled(11);

        assertOnly(Promise.INVENTED, "rolled back in transaction 7");
    }

    @Test
    void shouldNoticeAnInventionWhenAMessageWasNeverSent() {
        deliver("shared", "a", 1, 10).settled(11);

        assertOnly(Promise.INVENTED, "never sent");
    }

    @Test
    void shouldNoticeAnInventionWhenAMessageArrivesElsewhere() {
        history.sending(id(1), "news", Sent.NO_TRANSACTION);
        deliver("shared", "a", 1, 10).settled(11);

        assertOnly(Promise.INVENTED, "never sent there");
    }

    @Test
    void shouldNoticeAPartWhenATransactionInDoubtArrivesOnOneOfItsDestinationsOnly() {
        history.sending(id(1), "orders", 7);
        history.sending(id(2), "news", 7);
        deliver("shared", "a", 1, 10).settled(11);

        assertOnly(Promise.PARTIAL, "transaction 7 lacks [p1#2]");
    }

    @Test
    void shouldNoticeLossAndPartWhenACommittedTransactionArrivesInPart() {
        history.sending(id(1), "orders", 7);
        history.sending(id(2), "orders", 7);
        history.ended(7, Sent.Outcome.STORED);
        deliver("shared", "a", 1, 10).settled(11);

        Report report = history.check();
        assertThat(report.violationsOf(Promise.LOST)).hasSize(1);
        assertThat(report.violationsOf(Promise.PARTIAL)).hasSize(1);
    }

    @Test
    void shouldAcceptATransactionInDoubtWhenItArrivesWholeOrNotAtAll() {
        history.sending(id(1), "orders", 7);
        history.sending(id(2), "news", 7);
        history.sending(id(3), "orders", 8);
        deliver("shared", "a", 1, 10).settled(11);
        deliver("single", "b", 2, 12).settled(13);

        assertThat(history.check().isClean()).isTrue();
    }

    @Test
    void shouldNoticeDisorderWhenAConsumerSeesAnEarlierMessageLater() {
        store(1, "orders");
        store(2, "orders");
        deliver("shared", "a", 2, 10).settled(11);
        deliver("shared", "a", 1, 20).settled(21);

        assertOnly(Promise.DISORDER, "p1#2");
    }

    @Test
    void shouldAcceptDisorderWhenAKillLiesBetween() {
        store(1, "orders");
        store(2, "orders");
        deliver("shared", "a", 2, 10).settled(11);
        history.killed(new Kill(12, 15));
        deliver("shared", "a", 1, 20).settled(21);

        assertThat(history.check().isClean()).isTrue();
    }

    @Test
    void shouldNoticeDisorderWhenAKillLiesBetweenButTheSubscriptionIsExclusive() {
        store(1, "news");
        store(2, "news");
        deliver("single", "a", 2, 10).settled(11);
        history.killed(new Kill(12, 15));
        deliver("single", "a", 1, 20).settled(21);

        assertOnly(Promise.DISORDER, "single");
    }

    @Test
    void shouldAcceptDisorderWhenTheEarlierMessageHadBeenDeliveredBefore() {
        store(1, "orders");
        store(2, "orders");
        deliver("shared", "a", 1, 10).released(11);
        deliver("shared", "a", 2, 12).settled(13);
        deliver("shared", "a", 1, 20).settled(21);

        assertThat(history.check().isClean()).isTrue();
    }

    @Test
    void shouldAcceptDisorderWhenAnotherConsumerGaveItsMessagesBackBefore() {
        store(1, "orders");
        store(2, "orders");
        store(3, "orders");
        deliver("shared", "b", 1, 5).released(15);
        deliver("shared", "a", 3, 10).settled(11);
        deliver("shared", "a", 2, 20).settled(21);
        deliver("shared", "a", 1, 22).settled(23);

        assertThat(history.check().isClean()).isTrue();
    }

    @Test
    void shouldNoticeDisorderWhenAnotherConsumerGaveItsMessagesBackInAnEarlierLife() {
        store(1, "orders");
        deliver("shared", "b", 1, 5).released(6);
        deliver("shared", "b", 1, 7).settled(8);
        history.killed(new Kill(12, 15));
        for (int i = 2; i <= 4; i++) {
            store(i, "orders");
        }
        deliver("shared", "a", 2, 20).settled(21);
        deliver("shared", "a", 4, 22).settled(23);
        deliver("shared", "a", 3, 24).settled(25);

        assertOnly(Promise.DISORDER, "p1#4");
    }

    @Test
    void shouldNoticeARepeatWhenTheDeliveryHadBeenSettledBeforeTheKill() {
        store(1, "orders");
        deliver("shared", "a", 1, 10).settled(11);
        history.killed(new Kill(12, 15));
        deliver("shared", "b", 1, 20).settled(21);

        assertOnly(Promise.REPEATED, "p1#1");
    }

    @Test
    void shouldNoticeARepeatWhenNoKillExplainsIt() {
        store(1, "orders");
        deliver("shared", "a", 1, 10);
        deliver("shared", "b", 1, 20).settled(21);

        assertOnly(Promise.REPEATED, "p1#1");
    }

    @Test
    void shouldExcuseARepeatWhenTheDeliveryWasInFlightAtTheKill() {
        store(1, "orders");
        deliver("shared", "a", 1, 10).settled(13);
        history.killed(new Kill(12, 15));
        deliver("shared", "b", 1, 20).settled(21);

        Report report = history.check();
        assertThat(report.isClean()).isTrue();
        assertThat(report.excusedRepeats()).isEqualTo(1);
        assertThat(report.inFlightAtKills()).isGreaterThanOrEqualTo(1);
    }

    @Test
    void shouldNotCountADeliveryAsInFlightWhenItWasGivenBackBefore() {
        store(1, "orders");
        deliver("shared", "a", 1, 8).released(9);
        deliver("shared", "a", 1, 10).settled(11);
        history.killed(new Kill(12, 15));

        assertThat(history.check().inFlightAtKills()).isZero();
    }

    @Test
    void shouldExcuseOnlyOneRepeatWhenOneKillCameOverADelivery() {
        store(1, "orders");
        deliver("shared", "a", 1, 10);
        history.killed(new Kill(12, 15));
        deliver("shared", "b", 1, 20).settled(21);
        store(2, "orders");
        deliver("shared", "b", 2, 22).settled(23);
        deliver("shared", "b", 2, 24).settled(25);

        assertOnly(Promise.REPEATED, "p1#2");
    }

    /** A commit that a kill came over, and that is answered well after it, has settled what it took. */
    @Test
    void shouldNoticeASecondHolderWhenATransactionThatAKillCameOverHasCommitted() {
        store(1, "orders");
        deliver("shared", "a", 1, 10).committed(16);
        history.killed(new Kill(12, 15));
        deliver("shared", "b", 1, 20).settled(21);

        assertOnly(Promise.LEASED_TWICE, "p1#1");
    }

    @Test
    void shouldAcceptATransactionThatCommitsWhatAnotherHadBeforeTheKill() {
        store(1, "orders");
        deliver("shared", "a", 1, 10);
        history.killed(new Kill(12, 15));
        deliver("shared", "b", 1, 20).committed(21);

        assertThat(history.check().isClean()).isTrue();
    }

    @Test
    void shouldAcceptARepeatWhenTheApplicationGaveTheDeliveryBack() {
        store(1, "orders");
        deliver("shared", "a", 1, 10).released(11);
        deliver("shared", "b", 1, 20).settled(21);

        assertThat(history.check().isClean()).isTrue();
    }

    private void store(long sequence, String destination) {
        history.sending(id(sequence), destination, Sent.NO_TRANSACTION);
        history.stored(id(sequence));
    }

    private Delivery deliver(String subscription, String consumer, long sequence, long nanos) {
        return history.delivered(subscription, consumer, id(sequence), nanos);
    }

    private static MessageId id(long sequence) {
        return new MessageId(1, sequence);
    }

    private void assertOnly(Promise broken, String words) {
        Report report = history.check();
        for (Promise promise : Promise.values()) {
            if (promise == broken) {
                assertThat(report.violationsOf(promise))
                        .singleElement()
                        .asString()
                        .contains(words);
            } else {
                assertThat(report.violationsOf(promise)).as(promise.name()).isEmpty();
            }
        }
    }
}
