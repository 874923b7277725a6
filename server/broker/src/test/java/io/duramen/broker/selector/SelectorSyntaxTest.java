package io.duramen.broker.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.duramen.broker.kit.Records;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is a selector and what is none: section 3.8.1.1, with the place at which it goes wrong. */
class SelectorSyntaxTest {
    private static final SelectorLimits LIMITS = new SelectorLimits(200, 4, 20);

    private static void isRefused(String text, int character) {
        assertThatThrownBy(() -> Selector.parse(text, LIMITS))
                .as(text)
                .isInstanceOfSatisfying(
                        ProtocolException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_SELECTOR))
                .hasMessageContaining("at character " + character + ":");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "TRUE",
                "NOT NOT a",
                "JMSType = 'car' AND color = 'blue' AND weight > 2500",
                "age between 15 and 19",
                "(Country) IN ('UK', 'US', 'France')",
                "underscored LIKE '\\_%' ESCAPE '\\'",
                "prop_name IS NOT NULL",
                "_a$1 = $b",
                "größe = 1 and 日本 = 2",
                "a=-57.9E2or+6.2>b",
                "x = 'it''s'",
                "(a > 1) = TRUE",
                "JMSXDeliveryCount > 1",
                "JMS_Vendor_x = 1",
                "notes = 1 AND orders = 2 AND inside = 3 AND islands = 4",
                "a\u000C=\r\n\t1",
            })
    void shouldBeASelectorWhenTheSpecificationSaysSo(String text) {
        assertThat(Selector.parse(text, LIMITS).text()).isEqualTo(text);
    }

    @Test
    void shouldTakeASelectorOfExactlyTheLongestLength() {
        String longest = "a = '" + "x".repeat(194) + "'";
        assertThat(Selector.parse(longest, LIMITS).text()).hasSize(200);
        isRefused("a = '" + "x".repeat(195) + "'", 201);
    }

    @Test
    void shouldTakeWholeCharactersOnly() {
        for (char whole : new char[] {'\uD7FF', '\uE000'}) {
            assertThat(Selector.parse("a = '" + whole + "'", LIMITS).text()).hasSize(7);
        }
        for (char half : new char[] {Character.MIN_SURROGATE, '\uDBFF', '\uDC00', Character.MAX_SURROGATE}) {
            isRefused("a = '" + half + "'", 6);
        }
    }

    @Test
    void shouldNameTheOperatorThatItsOperandIsNotFor() {
        for (String text : List.of("a + TRUE > 1", "TRUE + a > 1", "a - TRUE > 1", "a * TRUE > 1", "TRUE / a > 1")) {
            String operator = text.replaceAll("[^-+*/]", "");
            assertThatThrownBy(() -> Selector.parse(text, LIMITS)).as(text).hasMessageContaining("'" + operator + "'");
        }
    }

    @Test
    void shouldBeEqualWhenTheTextsAre() {
        Selector selector = Selector.parse("a = 1", LIMITS);
        assertThat(selector)
                .isEqualTo(Selector.parse("a = 1", LIMITS))
                .hasSameHashCodeAs(Selector.parse("a = 1", LIMITS))
                .isNotEqualTo(Selector.parse("a = 2", LIMITS))
                .hasToString("a = 1");
    }

    private static final String REFUSED = """
            =                       | 1
            a =                     | 4
            a = 1 b                 | 7
            a = = 1                 | 5
            (a = 1                  | 7
            a = 1)                  | 6
            a == 1                  | 4
            a != 1                  | 3
            a = "x"                 | 5
            a = 'x                  | 5
            a & b                   | 3
            a = #                   | 5
            1                       | 1
            'a'                     | 1
            a + 1                   | 1
            NOT 1                   | 5
            a AND 'x'               | 7
            a = NULL                | 5
            a IS 1                  | 6
            1 IS NULL               | 1
            a + 1 IN ('x')          | 1
            'x' LIKE 'x'            | 1
            a IN ()                 | 7
            a IN (1)                | 7
            a IN ('x',)             | 11
            a IN 'x'                | 6
            a LIKE b                | 8
            a LIKE 'x' ESCAPE 'xy'  | 19
            a LIKE 'x' ESCAPE ''    | 19
            a LIKE 'x!' ESCAPE '!'  | 8
            a > 'x'                 | 5
            TRUE < a                | 1
            a + 'x' = 1             | 5
            'x' * a = 1             | 1
            -'x' = 1                | 2
            -TRUE = a               | 2
            TRUE = 0                | 8
            0 <> false              | 6
            a BETWEEN 'a' AND 'b'   | 11
            a BETWEEN 1             | 12
            (a = 1) + 1 = 2         | 1
            AND = 1                 | 1
            not = 1                 | 5
            a = 1 OR                | 9
            JMSExpiration = 1       | 1
            JMSDestination IS NULL  | 1
            JMSfoo = 1              | 1
            a = 09                  | 5
            a = 9223372036854775808 | 5
            a = 99999999999999999999| 5
            a = 0x1ffffffffffffffff | 5
            a = 1e999               | 5
            a = 1e-999              | 5
            a = 1e39f               | 5
            a = 0x1p99999           | 5
            a = 1 -- no comments    | 13
            1a = 1                  | 2
            a ( 1                   | 3
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = REFUSED)
    void shouldBeRefusedWhereItGoesWrong(String text, int character) {
        isRefused(text, character);
    }

    @Test
    void shouldCountCharactersWhenSomeTakeTwoPlaces() {
        isRefused("a = '\uD83D\uDE00' = 1", 9);
        isRefused("a = '\uD83D' ", 6);
    }

    @Test
    void shouldBeRefusedWhenItPassesALimit() {
        Selector.parse("((((a))))", LIMITS);
        isRefused("(((((a)))))", 5);
        Selector.parse("a" + " OR a".repeat(9), LIMITS);
        isRefused("a" + " OR a".repeat(10), 51);
        isRefused("a IN ('1'" + ", 'x'".repeat(18) + ")", 97);
        isRefused("a" + " ".repeat(200), 201);
        isRefused("- ".repeat(30) + "1 = 1", 41);
    }

    @Test
    void shouldTakeLongChainsWhenTheLimitsAllow() {
        SelectorLimits wide = new SelectorLimits(1_000_000, 100, 100_000);
        ByteBuffer record = Records.aRecord().with("a", 1).bytes();
        String chain = "a = 1" + " AND a = 1".repeat(10_000) + " OR a = 2".repeat(10_000);
        assertThat(Selector.parse(chain, wide).matches(record, 0, 0)).isTrue();
        String sum = "a" + " + 1 - 1".repeat(10_000) + " = " + "-".repeat(10_000) + "1";
        assertThat(Selector.parse(sum, wide).matches(record, 0, 0)).isTrue();
        String deep = "NOT ".repeat(1_000) + "(".repeat(100) + "a = 1" + ")".repeat(100);
        assertThat(Selector.parse(deep, wide).matches(record, 0, 0)).isTrue();
    }

    @Test
    void shouldBeNoneWhenItIsNullEmptyOrBlank() {
        assertThat(Selector.filter(null, LIMITS)).isSameAs(MessageFilter.ALL);
        assertThat(Selector.filter("", LIMITS)).isSameAs(MessageFilter.ALL);
        assertThat(Selector.filter(" \t\n", LIMITS)).isSameAs(MessageFilter.ALL);
        assertThat(Selector.filter(" a\n", LIMITS)).isEqualTo(Selector.parse("a", LIMITS));
    }

    /** Whatever the text, there is a selector or the one refusal. */
    @Test
    void shouldRefuseOrTakeWhenTheTextIsRandom() {
        List<String> pieces =
                List.of(("a JMSType 'x' ' 1 2.5 ( ) AND or NOT BETWEEN IN LIKE ESCAPE IS NULL TRUE = <> < + - *"
                                + " / , . \uD83D\uDE00 \uD83D é \u0000 0x 1e _ % !")
                        .split(" "));
        SelectorLimits limits = new SelectorLimits(100, 5, 30);
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(14); i >= 0; i--) {
                text.append(pieces.get(random.nextInt(pieces.size()))).append(random.nextBoolean() ? " " : "");
            }
            try {
                Selector.parse(text.toString(), limits);
            } catch (ProtocolException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.INVALID_SELECTOR);
            } catch (RuntimeException | StackOverflowError e) {
                fail("seed " + seed + ": " + text, e);
            }
        }
    }
}
