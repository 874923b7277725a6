package io.duramen.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The tables from lines as the harness prints them. */
class RatiosTest {
    @Test
    void shouldCompareMediansWhenRunsAreRepeated() {
        String table = new Ratios(
                        "duramen",
                        List.of(
                                line("duramen-fsync", 3_000, 12),
                                line("peer-fsync", 1_000, 30),
                                line("duramen-fsync", 1_000, 14),
                                line("peer-fsync", 1_000, 30),
                                line("duramen-fsync", 2_000, 13)))
                .table();

        assertThat(table).contains("### q-persistent-sync");
        assertThat(table).contains("| duramen-fsync | 2,000 | 1.00 |", "| peer-fsync | 1,000 | 2.00 |");
        assertThat(table).contains("| 30.0 | 0.43 |", "| 0.25 / 2.00 |");
    }

    @Test
    void shouldNameARunWhenItFailedOrLostSomething() {
        String table = new Ratios(
                        "duramen",
                        List.of(
                                "{\"scenario\":\"large\",\"label\":\"peer-fsync\",\"failed\":\"no connection\"}",
                                line("duramen-fsync", 1, 1).replace("\"lost\":0", "\"lost\":3")))
                .table();

        assertThat(table).contains("peer-fsync, large:", "no connection", "duramen-fsync, q-persistent-sync: lost 3");
    }

    private static String line(String label, int received, int cpu) {
        return "{\"scenario\":\"q-persistent-sync\",\"provider\":\"x\",\"label\":\"" + label
                + "\",\"sent_per_s\":5.0,\"received_per_s\":" + received
                + ".0,\"send_us\":{\"n\":9,\"p50\":500,\"p99\":900},\"e2e_us\":{\"n\":9,\"p50\":250,\"p99\":2000}"
                + ",\"broker_cpu_s_per_100k\":" + cpu
                + ".0,\"broker_rss_peak_mb\":300.5,\"other_cpu_s\":0.500,\"lost\":0}";
    }
}
