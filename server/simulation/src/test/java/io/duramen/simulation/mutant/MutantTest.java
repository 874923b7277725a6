package io.duramen.simulation.mutant;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.simulation.SimulationFailure;
import io.duramen.simulation.log.LogMutants;
import io.duramen.simulation.run.BrokerMutants;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/** The simulation is worth its time only if it sees what is wrong: faults planted below the log must be caught. */
class MutantTest {
    private static final int LOG_SEEDS = 2000;
    private static final int BROKER_SEEDS = 100;

    @Test
    void shouldBeCaughtWhenTheLogChecksNoChecksum() {
        requireCaught(LOG_SEEDS, LogMutants.on(CredulousDisk::new));
    }

    @Test
    void shouldBeCaughtWhenTheLogAnswersBeforeTheSync() {
        requireCaught(LOG_SEEDS, LogMutants.on(HastyDisk::new));
    }

    @Test
    void shouldBeCaughtWhenTheLogKeepsATornTail() {
        requireCaught(LOG_SEEDS, LogMutants.on(TailKeepingDisk::new));
    }

    @Test
    void shouldBeCaughtByTheClientsWhenTheBrokerAnswersBeforeTheSync() {
        requireCaught(BROKER_SEEDS, BrokerMutants.on(HastyDisk::new));
    }

    @Test
    void shouldBeCaughtByTheClientsWhenNoChecksumIsChecked() {
        requireCaught(BROKER_SEEDS, BrokerMutants.on(CredulousDisk::new));
    }

    @Test
    void shouldBeCaughtWhenHowFarTheStateIsIsStoredBeforeItsRows() {
        requireCaught(BROKER_SEEDS, BrokerMutants.withHeadFirst());
    }

    @Test
    void shouldBeCaughtWhenDedupIdsAreForgottenAtStart() {
        requireCaught(BROKER_SEEDS, BrokerMutants.withDedupIdsForgottenAtStart());
    }

    @Test
    void shouldBeCaughtWhenDeliveriesAreForgottenAtStart() {
        requireCaught(BROKER_SEEDS, BrokerMutants.withDeliveriesForgottenAtStart());
    }

    @Test
    void shouldBeCaughtWhenDeadLettersStayWhereTheyWere() {
        requireCaught(BROKER_SEEDS, BrokerMutants.withDeadLettersUnsettled());
    }

    @Test
    void shouldBeCaughtWhenTheRecordOfABranchsEndIsForgotten() {
        requireCaught(BROKER_SEEDS, BrokerMutants.withBranchesEndsForgotten());
    }

    @Test
    void shouldBeCaughtWhenTheDecisionOnATransactionOfSeveralShardsIsForgotten() {
        requireCaught(BROKER_SEEDS, BrokerMutants.withDecisionsForgotten());
    }

    @Test
    void shouldBeCaughtWhenWhatWasCommittedIsTakenBackByTheNextLeader() {
        requireCaught(BROKER_SEEDS, BrokerMutants.withCommittedTakenBack());
    }

    @Test
    void shouldBeCaughtWhenALeaderThatIsCutOffAnswersBeforeOthersHaveWhatItHas() {
        requireCaught(BROKER_SEEDS, BrokerMutants.withAnswersBeforeCommit());
    }

    @Test
    void shouldBeCaughtWhenALeaderThatIsCutOffHandsOutMessagesThoughOthersMayLead() {
        requireCaught(BROKER_SEEDS, BrokerMutants.withDispatchWithoutLease());
    }

    private static void requireCaught(int seeds, LongConsumer run) {
        assertThatThrownBy(() -> {
                    for (long seed = 1; seed <= seeds; seed++) {
                        run.accept(seed);
                    }
                })
                .isInstanceOf(SimulationFailure.class);
    }
}
