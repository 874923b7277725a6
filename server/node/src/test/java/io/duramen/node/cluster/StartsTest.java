package io.duramen.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class StartsTest {
    @Test
    void shouldIncludeAllStartsBeforeAndNoneOfAnotherLine() {
        Starts first = Starts.NONE.next("00000001");
        Starts second = first.next("00000002");
        Starts third = second.next("00000003");

        assertThat(third.includes(first.last())).isTrue();
        assertThat(third.includes(third.last())).isTrue();
        assertThat(first.includes(second.last())).isFalse();
        assertThat(first.next("0000000a").includes(second.last())).isFalse();
        assertThat(first.next("0000000a").next("0000000b").includes(second.last()))
                .isFalse();
        assertThat(third.includes(Starts.Start.FORGOTTEN)).isFalse();
    }

    @Test
    void shouldKeepTheLastIdsAndNotDenyWhatIsOlder() {
        Starts starts = Starts.NONE;
        for (int i = 1; i <= 100; i++) {
            starts = starts.next(id(i));
        }

        assertThat(starts.ids()).hasSize(Starts.IDS_MAX).startsWith(id(100), id(99));
        assertThat(starts.includes(new Starts.Start(69, id(69)))).isTrue();
        assertThat(starts.includes(new Starts.Start(69, id(1)))).isFalse();
        assertThat(starts.includes(new Starts.Start(68, id(1)))).isTrue();
        assertThat(starts.surelyIncludes(new Starts.Start(68, id(68)))).isFalse();
        assertThat(Starts.parse(starts.toString())).isEqualTo(starts);
        assertThat(starts.toString()).hasSizeLessThan(500);
    }

    @Test
    void shouldRefuseWhatAreNoStarts() {
        for (String text : List.of(
                "",
                "1",
                "1:",
                "0:00000001",
                "2:00000001",
                "1:0000001",
                "-1:00000001",
                "1:00000001,",
                "99999999999999999999:00000001")) {
            assertThatThrownBy(() -> Starts.parse(text)).as(text).isInstanceOf(IllegalArgumentException.class);
        }
        for (String text : List.of("n1", "n1=d", "n1=d=x", "n1=d=1:00000001=", "n1=d=1:00000001;;")) {
            assertThatThrownBy(() -> KnownStart.parse(text)).as(text).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(Starts.parse("0:")).isEqualTo(Starts.NONE);
    }

    private static String id(int number) {
        return String.format("%08x", number);
    }
}
