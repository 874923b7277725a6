package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecidedFormatTest {
    private final List<String> changed = new ArrayList<>();

    @Test
    void shouldKeepWhatWasDecidedAndNeverGoBack() {
        DecidedFormat format = read(3);
        assertThat(format.level()).isEqualTo(1);
        assertThat(kept(format)).isEmpty();
        format.decided(3);
        format.decided(2);

        assertThat(format.level()).isEqualTo(3);
        assertThat(changed).containsOnly("Level[level=3]");
        DecidedFormat loaded = read(3);
        kept(format).forEach(loaded::load);
        assertThat(loaded.level()).isEqualTo(3);
    }

    @Test
    void shouldRefuseWhatItCannotRead() {
        DecidedFormat written = read(2);
        written.decided(2);
        DecidedFormat format = read(1);

        assertThatThrownBy(() -> format.decided(2))
                .hasMessageContaining("format level 2 was decided, and this software reads levels up to 1");
        assertThatThrownBy(() -> kept(written).forEach(format::load)).hasMessageContaining("level 2");
    }

    private DecidedFormat read(int newest) {
        return new DecidedFormat(newest, (kind, key, fact) -> changed.add(String.valueOf(fact)));
    }

    private static List<DecidedFormat.Level> kept(DecidedFormat format) {
        List<DecidedFormat.Level> kept = new ArrayList<>();
        format.forEach((key, level) -> kept.add(level));
        return kept;
    }
}
