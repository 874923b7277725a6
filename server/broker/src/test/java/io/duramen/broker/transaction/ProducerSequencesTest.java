package io.duramen.broker.transaction;

import static io.duramen.broker.transaction.ProducerSequences.NEWS;
import static io.duramen.broker.transaction.ProducerSequences.PLACE_FORGOTTEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.metadata.ShardImage.ProducerRow;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ProducerSequencesTest {
    private static final long IDLE_MILLIS = 1000;
    private final ProducerSequences sequences = new ProducerSequences(3, IDLE_MILLIS);

    @Test
    void shouldFindWhereABatchIsStoredWhenTheLastIsRepeated() {
        stored(7, 0, 0, 9, 490);
        stored(7, 0, 10, 19, 500);
        assertThat(sequences.decide(7, 0, 1, 10, 10)).isEqualTo(500);
        assertThat(sequences.decide(7, 0, 1, 4, 6)).isEqualTo(PLACE_FORGOTTEN);
        assertThat(sequences.decide(7, 0, 2, 10, 10)).as("another partition").isEqualTo(NEWS);
        assertThat(sequences.decide(8, 0, 1, 10, 10)).as("another producer").isEqualTo(NEWS);
    }

    @Test
    void shouldTakeABatchWhenItComesAfterAGap() {
        stored(7, 0, 10, 19, 500);
        assertThat(sequences.decide(7, 0, 1, 20, 1)).isEqualTo(NEWS);
        assertThat(sequences.decide(7, 0, 1, 1_000, 1)).isEqualTo(NEWS);
    }

    @Test
    void shouldRefuseABatchWhenItOverlapsInPart() {
        stored(7, 0, 10, 19, 500);
        assertRefused(ErrorCode.OUT_OF_ORDER_SEQUENCE, () -> sequences.decide(7, 0, 1, 15, 6));
        assertRefused(ErrorCode.OUT_OF_ORDER_SEQUENCE, () -> sequences.decide(7, 0, 1, 0, 100));
    }

    @Test
    void shouldRefuseARepeatWhenTheBatchWasRefusedAndLaterOnesWereStored() {
        stored(7, 0, 0, 9, 500);
        stored(7, 0, 20, 29, 510);
        assertRefused(ErrorCode.OUT_OF_ORDER_SEQUENCE, () -> sequences.decide(7, 0, 1, 10, 10));
        assertRefused(ErrorCode.OUT_OF_ORDER_SEQUENCE, () -> sequences.decide(7, 0, 1, 5, 10));
        assertThat(sequences.decide(7, 0, 1, 0, 10)).isEqualTo(PLACE_FORGOTTEN);
        assertThat(sequences.decide(7, 0, 1, 20, 10)).isEqualTo(510);
        assertThat(sequences.decide(7, 0, 1, 30, 1)).isEqualTo(NEWS);
    }

    @Test
    void shouldRefuseARepeatWhenTheFirstBatchOfAllWasRefused() {
        stored(7, 0, 5, 9, 0);
        assertRefused(ErrorCode.OUT_OF_ORDER_SEQUENCE, () -> sequences.decide(7, 0, 1, 0, 5));
        stored(7, 1, 3, 4, 5);
        assertRefused(ErrorCode.OUT_OF_ORDER_SEQUENCE, () -> sequences.decide(7, 1, 1, 0, 3));
        assertThat(sequences.toRows().get(0).gaps()).as("of this epoch").hasSize(1);
    }

    @Test
    void shouldRefuseARepeatWhenTheLaterBatchesAreNotCommittedYet() {
        stored(7, 0, 0, 9, 500);
        sequences.appended(7, 0, 1, 20, 10);
        sequences.appended(7, 0, 1, 40, 10);
        assertRefused(ErrorCode.OUT_OF_ORDER_SEQUENCE, () -> sequences.decide(7, 0, 1, 10, 10));
        stored(7, 0, 20, 29, 510);
        assertRefused(ErrorCode.OUT_OF_ORDER_SEQUENCE, () -> sequences.decide(7, 0, 1, 30, 10));
        stored(7, 0, 40, 49, 520);
        assertRefused(ErrorCode.OUT_OF_ORDER_SEQUENCE, () -> sequences.decide(7, 0, 1, 30, 10));
        assertRefused(ErrorCode.OUT_OF_ORDER_SEQUENCE, () -> sequences.decide(7, 0, 1, 10, 10));
    }

    @Test
    void shouldRememberTheNewestGapsWhenThereAreTooMany() {
        for (int batch = 0; batch <= ProducerSequences.GAPS_MAX; batch++) {
            stored(7, 0, 2L * batch + 1, 2L * batch + 1, batch);
        }
        assertThat(sequences.toRows().get(0).gaps()).hasSize(ProducerSequences.GAPS_MAX);
        assertThat(sequences.decide(7, 0, 1, 0, 1)).as("the oldest").isEqualTo(PLACE_FORGOTTEN);
        assertRefused(ErrorCode.OUT_OF_ORDER_SEQUENCE, () -> sequences.decide(7, 0, 1, 2, 1));
        ProducerSequences loaded = new ProducerSequences(3, IDLE_MILLIS);
        loaded.load(sequences.toRows());
        assertRefused(ErrorCode.OUT_OF_ORDER_SEQUENCE, () -> loaded.decide(7, 0, 1, 16, 1));
    }

    @Test
    void shouldRefuseABatchWhenItsSequencesOverflow() {
        assertRefused(ErrorCode.OUT_OF_ORDER_SEQUENCE, () -> sequences.decide(7, 0, 1, Long.MAX_VALUE - 1, 5));
        assertRefused(ErrorCode.OUT_OF_ORDER_SEQUENCE, () -> sequences.decide(7, 0, 1, -1, 1));
    }

    @Test
    void shouldFenceAnOldEpochWhenANewerOneTookOver() {
        stored(7, 4, 10, 19, 500);
        assertThat(sequences.decide(7, 5, 1, 0, 1)).isEqualTo(NEWS);
        sequences.appended(7, 5, 1, 0, 1);
        assertRefused(ErrorCode.PRODUCER_FENCED, () -> sequences.decide(7, 4, 1, 20, 1));
    }

    @Test
    void shouldDropARepeatWhenTheFirstIsNotCommittedYet() {
        sequences.appended(7, 0, 1, 0, 5);
        sequences.appended(7, 0, 1, 5, 5);
        assertThat(sequences.decide(7, 0, 1, 0, 5)).isEqualTo(PLACE_FORGOTTEN);
        stored(7, 0, 0, 4, 100);
        assertThat(sequences.decide(7, 0, 1, 5, 5)).as("still pending").isEqualTo(PLACE_FORGOTTEN);
        assertThat(sequences.decide(7, 0, 1, 10, 1)).isEqualTo(NEWS);
        stored(7, 0, 5, 9, 105);
        assertThat(sequences.decide(7, 0, 1, 5, 5)).isEqualTo(105);
    }

    @Test
    void shouldForgetTheOneIdleLongestWhenThereAreTooMany() {
        for (int producer = 1; producer <= 3; producer++) {
            stored(producer, 0, 0, 0, 0);
        }
        stored(1, 0, 1, 1, 9);
        stored(4, 0, 0, 0, 0);
        assertThat(sequences.toRows()).extracting(ProducerRow::producerId).containsExactly(3L, 1L, 4L);
    }

    @Test
    void shouldForgetTheSameWhenItWasLoadedInBetween() {
        for (int producer = 1; producer <= 3; producer++) {
            stored(producer, 0, 0, 0, 0);
        }
        stored(2, 0, 1, 1, 9);
        ProducerSequences loaded = new ProducerSequences(3, IDLE_MILLIS);
        loaded.load(sequences.toRows());
        ProducerSequences.Stored next = new ProducerSequences.Stored(5, 1, 0, 0, 0, 0, 0);
        sequences.committed(next);
        loaded.committed(next);
        assertThat(loaded.toRows()).isEqualTo(sequences.toRows());
    }

    @Test
    void shouldForgetTheIdleWhenTheirTimeIsOver() {
        sequences.committed(new ProducerSequences.Stored(1, 1, 0, 0, 0, 0, 5_000));
        sequences.committed(new ProducerSequences.Stored(2, 1, 0, 0, 0, 0, 5_000 + IDLE_MILLIS));
        assertThat(sequences.toRows()).hasSize(2);
        sequences.committed(new ProducerSequences.Stored(2, 1, 0, 1, 1, 0, 5_001 + IDLE_MILLIS));
        assertThat(sequences.toRows()).extracting(ProducerRow::producerId).containsExactly(2L);
    }

    private void stored(long producer, int epoch, long base, long last, long offset) {
        sequences.committed(new ProducerSequences.Stored(producer, 1, epoch, base, last, offset, 0));
    }

    private static void assertRefused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ProtocolException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }
}
