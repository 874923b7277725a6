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
    /** First and last of each width in UTF-8, and those around the surrogates. */
    static final int[] EDGES = {
        1, 0x7F, 0x80, 0x7FF, 0x800, 0xFFF, 0x1000, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x40000, 0xFFFFF, 0x10FFFF
    };

    private static Value value(byte[] utf8) {
        return new Value().setText(ByteBuffer.wrap(utf8), 0, utf8.length);
    }

    private static boolean matches(String text, String pattern, int escape) {
        return LikePattern.parse(pattern, escape).matches(value(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void shouldTakeAnyCharacterForOneAndForNoOther() {
        for (int one : EDGES) {
            String text = "a" + Character.toString(one) + "b";
            assertThat(matches(text, "a_b", -1)).as(Integer.toHexString(one)).isTrue();
            assertThat(matches(text, "%__b%", -1)).as(Integer.toHexString(one)).isTrue();
            assertThat(matches(text, "a__b", -1)).as(Integer.toHexString(one)).isFalse();
            for (int other : EDGES) {
                String character = Character.toString(other);
                for (String pattern :
                        new String[] {"a" + character + "%", "%" + character + "b", "%" + character + "%"}) {
                    assertThat(matches(text, pattern, -1))
                            .as("%x, %x", one, other)
                            .isEqualTo(one == other);
                }
            }
        }
    }

    @Test
    void shouldForgetTheTextBefore() {
        LikePattern pattern = LikePattern.parse("%ab%", -1);
        assertThat(pattern.matches(value("xa".getBytes(StandardCharsets.UTF_8))))
                .isFalse();
        assertThat(pattern.matches(value("bx".getBytes(StandardCharsets.UTF_8))))
                .isFalse();
        assertThat(pattern.matches(value("abx".getBytes(StandardCharsets.UTF_8))))
                .isTrue();
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
            xaabx | %a_b%   | true
            xabb  | %a_b%   | true
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
