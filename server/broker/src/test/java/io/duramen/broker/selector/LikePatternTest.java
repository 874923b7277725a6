package io.duramen.broker.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Section 3.8.1.1, LIKE: what it says, and what it costs. */
class LikePatternTest {
    private static Value value(byte[] utf8) {
        return new Value().setText(ByteBuffer.wrap(utf8), 0, utf8.length);
    }

    private static boolean matches(String text, String pattern, int escape) {
        return LikePattern.parse(pattern, escape).matches(value(text.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            123   | 12%3    | true
            12993 | 12%3    | true
            1234  | 12%3    | false
            lose  | l_se    | true
            loose | l_se    | false
            _foo  | !_%     | true
            bar   | !_%     | false
            ""    | ""      | true
            ""    | %       | true
            ""    | _       | false
            a     | ""      | false
            a%b   | a!%b    | true
            axb   | a!%b    | false
            a!b   | a!!b    | true
            axb   | a!xb    | true
            abcbc | %bc     | true
            abcbd | %bc     | false
            aa    | a%a     | true
            a     | a%a     | false
            abab  | %ab%ab% | true
            aba   | %ab%ab% | false
            xaby  | %a_%    | true
            xa    | %a_%    | false
            axbxc | a%_x_%c | false
            axbxyc| a%_x_%c | true
            grün  | gr_n    | true
            a😀b  | a_b     | true
            a😀b  | a__b    | false
            😀😀  | %😀     | true
            a.b   | a.b     | true
            axb   | a.b     | false
            A     | a       | false
            """)
    void shouldMatchAsTheSpecificationSays(String text, String pattern, boolean matches) {
        assertThat(matches(text, pattern, '!')).isEqualTo(matches);
    }

    @Test
    void shouldLetAWildcardEscapeWhenItIsTheEscapeCharacter() {
        assertThat(matches("a%", "a%%", '%')).isTrue();
        assertThat(matches("ab", "a%b", '%')).isTrue();
        assertThat(matches("axb", "a%b", '%')).isFalse();
        assertThat(LikePattern.parse("a!", '!')).isNull();
        assertThat(LikePattern.parse("a!", -1)).isNotNull();
    }

    @Test
    void shouldFindLongStretchesWhenTheyPassAWord() {
        String stretch = "ab".repeat(100) + "_" + "ba".repeat(50);
        String text = "ab".repeat(150) + "x" + "ba".repeat(60);
        assertThat(matches(text, "%" + stretch + "%", -1)).isTrue();
        assertThat(matches(text, "%" + stretch + "c%", -1)).isFalse();
        for (int length = 62; length <= 130; length++) {
            String wanted = "z" + "y".repeat(length - 1);
            assertThat(matches("zxzx" + wanted + "z", "%" + wanted + "%", -1))
                    .as("%d", length)
                    .isTrue();
            assertThat(matches("zxzx" + wanted.substring(1) + "z", "%" + wanted + "%", -1))
                    .isFalse();
        }
    }

    /** A backtracking matcher would take longer than the universe has been there. */
    @Test
    void shouldTakeOnePassWhenTheTextAlmostMatches() {
        String text = "a".repeat(1_000_000);
        assertThat(matches(text, "%" + "a%".repeat(500) + "b%", -1)).isFalse();
        assertThat(matches(text, "%" + "_a%".repeat(500) + "a_b", -1)).isFalse();
    }

    @Test
    void shouldStayInsideWhenTheTextIsNoUtf8() {
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            byte[] bytes = new byte[random.nextInt(8)];
            random.nextBytes(bytes);
            for (String pattern : new String[] {"%", "_%_", "%é_%", "__", "a%ü", "%_"}) {
                Value value = value(bytes);
                assertThatCode(() -> LikePattern.parse(pattern, -1).matches(value))
                        .as("seed %d", seed)
                        .doesNotThrowAnyException();
            }
        }
    }
}
