package io.duramen.jms.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.delivery.Flow.Settling;
import org.junit.jupiter.api.Test;

class FlowTest {
    private static Flow flow(int prefetch, int gather, Settling settle) {
        return new Flow(prefetch, 4096, 7, gather, settle);
    }

    @Test
    void shouldWaitForCompanyButNeverForMoreThanHalfOfWhatIsSentAhead() {
        assertThat(flow(1000, 64, Settling.WHEN_IDLE).gathering()).isEqualTo(flow(1000, 64, Settling.GATHERED));
        assertThat(flow(100, 64, Settling.WHEN_IDLE).gathering()).isEqualTo(flow(100, 50, Settling.GATHERED));
        assertThat(flow(1, 64, Settling.WHEN_IDLE).gathering()).isEqualTo(flow(1, 1, Settling.GATHERED));
        assertThat(flow(0, 64, Settling.WHEN_IDLE).gathering()).isEqualTo(flow(0, 1, Settling.GATHERED));
    }

    @Test
    void shouldLeaveAloneWhatDoesNotSettleWhenIdle() {
        for (Settling settle : new Settling[] {Settling.GATHERED, Settling.ON_ARRIVAL}) {
            Flow flow = flow(10, 64, settle);
            assertThat(flow.gathering()).isSameAs(flow);
        }
    }
}
