package io.duramen.broker.selector;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Records;
import io.duramen.protocol.record.HeaderTag;
import io.duramen.protocol.record.MessageRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What selectors say of one message, as a table: sections 3.8.1.1 to 3.8.1.3. */
class SelectorValuesTest {
    private static final SelectorLimits LIMITS = new SelectorLimits(10_000, 100, 1_000);

    private static final ByteBuffer MESSAGE = Records.aRecord()
            .with("i", 7)
            .with("b", (byte) 7)
            .with("s", (short) -7)
            .with("l", 7_000_000_000L)
            .with("f", 0.1f)
            .with("d", 0.1)
            .with("nan", Double.NaN)
            .with("max", Integer.MAX_VALUE)
            .with("min", Integer.MIN_VALUE)
            .with("lmax", Long.MAX_VALUE)
            .with("text", "literal's")
            .with("number", "2")
            .with("yes", true)
            .with("no", false)
            .with("nothing", null)
            .with("char", 'c')
            .with("empty", "")
            .withPriority(9)
            .persistent()
            .at(1234)
            .withId(-1, -1)
            .ofType("car")
            .inGroup("g", 5)
            .sentBy("anna")
            .bytes("body");

    /** True: it matches; false: its negation does; unknown: neither. */
    private static String truth(String text, ByteBuffer record) {
        if (Selector.parse(text, LIMITS).matches(record, 0, 0)) {
            return "true";
        }
        return Selector.parse("NOT (" + text + ")", LIMITS).matches(record, 0, 0) ? "false" : "unknown";
    }

    private static void holds(String text, String truth) {
        assertThat(truth(text, MESSAGE)).as(text).isEqualTo(truth);
    }

    private static final String COMPARISONS = """
            i = 7                         | true
            i = b                         | true
            s = -7                        | true
            i = 7.0                       | true
            i <> 7                        | false
            i > b - 1                     | true
            l = 7000000000                | true
            f = d                         | false
            f = 0.1F                      | true
            nan = nan                     | false
            nan <> nan                    | true
            nan < 1                       | false
            nan >= 1                      | false
            max = 16777217 * 1 OR max > 1 | true
            text = 'literal''s'           | true
            text <> 'literal'             | true
            Text = 'literal''s'           | unknown
            number > 1                    | false
            number = 2                    | false
            number <> 2                   | false
            NOT number > 1                | true
            yes = 'true'                  | false
            yes = TRUE                    | true
            yes <> no                     | true
            yes > i                       | false
            text = yes                    | false
            yes                           | true
            NOT no                        | true
            i                             | unknown
            text AND yes                  | unknown
            char = 'c'                    | false
            char IS NULL                  | false
            empty = ''                    | true
            (i = 7) = TRUE                | true
            (nothing = 7) = TRUE          | unknown
            i < 7 OR i > b                | false
            i <= 7 AND i >= b             | true
            l < 7000000000 OR l > 7000000000 | false
            f < 0.1F OR f > 0.1F OR f <> 0.1F | false
            f <= 0.1F AND f >= 0.1F       | true
            f < 0.2F AND f > 0.0F         | true
            d < 0.1 OR d > 0.1 OR d <> 0.1 | false
            d <= 0.1 AND d >= 0.1         | true
            d < 0.2 AND d > 0.0           | true
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = COMPARISONS)
    void shouldCompareOnlyWhatIsAlike(String text, String truth) {
        holds(text, truth);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            nothing = 1              | unknown
            nothing <> 1             | unknown
            absent = absent          | unknown
            absent + 1 > 0           | unknown
            -absent = 1              | unknown
            absent                   | unknown
            absent AND no            | false
            absent AND yes           | unknown
            absent OR yes            | true
            absent OR no             | unknown
            NOT absent               | unknown
            absent IS NULL           | true
            nothing IS NULL          | true
            i IS NULL                | false
            i IS NOT NULL            | true
            absent BETWEEN 1 AND 2   | unknown
            i BETWEEN absent AND 2   | false
            i BETWEEN absent AND 9   | unknown
            absent NOT IN ('a')      | unknown
            absent LIKE '%'          | unknown
            absent NOT LIKE '%'      | unknown
            JMSCorrelationID IS NULL | true
            JMSXDeliveryCount IS NULL| true
            """)
    void shouldBeUnknownWhenAValueIsNull(String text, String truth) {
        holds(text, truth);
    }

    private static final String CALCULATIONS = """
            i + 1 = 8                                  | true
            i - 1 - 1 = 5                              | true
            i + 2 * 3 = 13                             | true
            (i + 2) * 3 = 27                           | true
            i / 2 = 3                                  | true
            i / 2 * 2 = 6                              | true
            i / 2.0 = 3.5                              | true
            -i = -7                                    | true
            --i = +7                                   | true
            - - -i = -7                                | true
            s / 2 = -3                                 | true
            i / 0 = 1                                  | unknown
            l / 0 = 1                                  | unknown
            i / 0.0 > 1e308                            | true
            max + 1 = min                              | true
            max + 1L = 2147483648                      | true
            -min = min                                 | true
            -2147483648 = min                          | true
            lmax + 1 = -9223372036854775808            | true
            max + 0.0F = 2147483648                    | true
            max * 2 = -2                               | true
            min / -1 = min                             | true
            f + f = 0.2F                               | true
            l + 1 = 7000000001 AND l - 1 = 6999999999  | true
            l * 2 = 14000000000 AND l / 7 = 1000000000 | true
            -l = -7000000000 AND -d = -0.1             | true
            i + 0.5F = 7.5F AND i - 0.5F = 6.5F        | true
            i * 0.5F = 3.5F AND i / 2.0F = 3.5F        | true
            d + 0.25 = 0.35 AND d - 0.1 = 0.0          | true
            d * 10 = 1.0 AND d / 2 = 0.05              | true
            0.0 - 1.5 = -1.5 AND 0.0F - 1.5F = -1.5F   | true
            0L - 4294967296 = -0x100000000             | true
            text + 1 = 2                               | false
            text + 1 <> 2                              | false
            text + absent = 2                          | unknown
            -text = 2                                  | false
            +yes = yes                                 | false
            0x1F = 31 AND 017 = 15 AND 0b101 = 5       | true
            0xFFFFFFFF = -1 AND 0xFFFFFFFFL = 4294967295| true
            0xFFFFFFFFFFFFFFFF = -1                    | true
            -0x1 = -1 AND -010 = -8                    | true
            1_000 = 1000 AND 0 = 00 AND 7. = 7         | true
            2147483648 > max                           | true
            -57.9E2 = -5790 AND 7E3 = 7000 AND .5 = 5e-1| true
            0x1.8p1 = 3 AND 1f = 1d AND 0e0 = 0.0f     | true
            0x.8P0D = 0.5 AND 0x0p0 = 0                | true
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = CALCULATIONS)
    void shouldCalculateAsJavaDoes(String text, String truth) {
        holds(text, truth);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            i BETWEEN 7 AND 7                   | true
            i BETWEEN 8 AND 6                   | false
            i NOT BETWEEN 8 AND 6               | true
            i NOT BETWEEN 1 AND 10              | false
            text BETWEEN 1 AND 2                | false
            text NOT BETWEEN 1 AND 2            | false
            i BETWEEN i - 1 AND i + 1           | true
            JMSType IN ('bike', 'car')          | true
            JMSType IN ('bike')                 | false
            JMSType NOT IN ('bike')             | true
            JMSType NOT IN ('bike', 'car')      | false
            i IN ('7')                          | false
            i NOT IN ('7')                      | false
            i LIKE '7'                          | false
            i NOT LIKE '7'                      | false
            text LIKE 'lit%'                    | true
            text NOT LIKE 'lit%'                | false
            JMSType IN ('car', 'bike')          | true
            JMSType IN ('a','b','c','d','e','f','g','h','i','car') | true
            JMSType IN ('car','b','c','d','e','f','g','h','i','j') | true
            text IN ('Aa','BB','AaAa','BBBB','AaBB','BBAa','g','h','i','literal''s') | true
            JMSXGroupID IN ('Aa','BB','AaAa','BBBB','AaBB','BBAa','h','i','j') | false
            JMSType IN ('a','b','c','d','e','f','g','h','i','j')   | false
            """)
    void shouldAskForRangesSetsAndPatterns(String text, String truth) {
        holds(text, truth);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            JMSPriority = 9                                               | true
            JMSPriority > 9                                               | false
            JMSDeliveryMode = 'PERSISTENT'                                | true
            JMSDeliveryMode = 2                                           | false
            JMSTimestamp = 1234                                           | true
            JMSMessageID = 'ID:ffffffffffffffff-18446744073709551615'     | true
            JMSMessageID LIKE 'ID:%'                                      | true
            JMSType = 'car'                                               | true
            JMSXGroupID = 'g'                                             | true
            JMSXGroupSeq = 5                                              | true
            JMSXUserID = 'anna'                                           | true
            jmsType = 'car'                                               | unknown
            """)
    void shouldReadTheHeaders(String text, String truth) {
        holds(text, truth);
    }

    /** Texts whose hashes are alike. */
    @ParameterizedTest
    @ValueSource(strings = {"Aa", "BB", "AaAa", "AaBB", "BBAa", "BBBB"})
    void shouldFindOneOfManyTextsWhenTheyLookAlike(String type) {
        ByteBuffer record = Records.aRecord().ofType(type).bytes();
        String rest = "'BB','Aa','AaAa','AaBB','BBAa','BBBB','1','2','3'";
        assertThat(truth("JMSType IN (" + rest + ")", record)).isEqualTo("true");
        assertThat(truth("JMSType IN (" + rest.replace("'" + type + "'", "'4'") + ")", record))
                .isEqualTo("false");
    }

    @Test
    void shouldReadManyPropertiesEachForItself() {
        holds(
                "i = 7 AND b = 7 AND s = -7 AND l = 7000000000 AND f = 0.1F AND d = 0.1 AND max = 2147483647"
                        + " AND min = -2147483648 AND text = 'literal''s' AND number = '2' AND yes AND NOT no",
                "true");
    }

    /** A region that is shorter than it says has nothing to say. */
    @Test
    void shouldNotMatchWhenItsPropertiesAreCut() {
        ByteBuffer whole = Records.aRecord()
                .with("first", "one")
                .with("second", 2.5)
                .with("third", (byte) 3)
                .with("last", 1)
                .bytes("body");
        int length = whole.getInt(MessageRecord.PROPERTIES_LENGTH_AT);
        for (int cut = 1; cut < length; cut++) {
            ByteBuffer record = cut(whole, MessageRecord.PROPERTIES_LENGTH_AT, cut);
            for (String text : new String[] {"last = 1", "last IS NULL", "absent IS NULL"}) {
                assertThat(Selector.parse(text, LIMITS).matches(record, 0, 0))
                        .as("%d bytes cut: %s", cut, text)
                        .isFalse();
            }
        }
    }

    @Test
    void shouldNotMatchWhenItsHeadersAreCut() {
        ByteBuffer whole = Records.aRecord().ofType("car").bytes("body");
        int length = whole.getInt(MessageRecord.HEADERS_LENGTH_AT);
        for (int cut = 1; cut < length; cut++) {
            ByteBuffer record = cut(whole, MessageRecord.HEADERS_LENGTH_AT, cut);
            for (String text : new String[] {"JMSType = 'car'", "JMSType IS NULL", "JMSXGroupID IS NULL"}) {
                assertThat(Selector.parse(text, LIMITS).matches(record, 0, 0))
                        .as("%d bytes cut: %s", cut, text)
                        .isFalse();
            }
        }
    }

    /** The last bytes of a region are the first of the body. */
    private static ByteBuffer cut(ByteBuffer whole, int lengthAt, int bytes) {
        ByteBuffer record =
                ByteBuffer.allocate(whole.limit()).put(whole.duplicate()).flip();
        record.putInt(lengthAt, record.getInt(lengthAt) - bytes);
        return record.putInt(MessageRecord.BODY_LENGTH_AT, record.getInt(MessageRecord.BODY_LENGTH_AT) + bytes);
    }

    @Test
    void shouldReadWhatIsNotThereAsNull() {
        ByteBuffer bare = Records.aRecord().bytes();
        assertThat(truth("JMSMessageID", bare)).isEqualTo("unknown");
        assertThat(truth("JMSMessageID IS NULL AND JMSType IS NULL AND JMSXGroupSeq IS NULL AND a IS NULL", bare))
                .isEqualTo("true");
        assertThat(truth("JMSDeliveryMode = 'NON_PERSISTENT' AND JMSPriority = 4 AND JMSTimestamp = 0", bare))
                .isEqualTo("true");
    }

    @Test
    void shouldReadNoUserWhereTheServerHasNotLookedAtIt() {
        ByteBuffer record =
                Records.aRecord().persistent().header(HeaderTag.USER_ID, "anna").bytes();
        assertThat(truth("JMSXUserID IS NULL", record)).isEqualTo("true");
    }

    @Test
    void shouldReadAMessageIdAsItsClientWritesIt() {
        ByteBuffer record = Records.aRecord().withId(0x0123456789ABCDEFL, 10).bytes();
        assertThat(truth("JMSMessageID = 'ID:0123456789abcdef-10'", record)).isEqualTo("true");
        record = Records.aRecord().withId(0, 9).bytes();
        assertThat(truth("JMSMessageID = 'ID:0000000000000000-9'", record)).isEqualTo("true");
        record = Records.aRecord().withId(1, 0).bytes();
        assertThat(truth("JMSMessageID = 'ID:0000000000000001-0'", record)).isEqualTo("true");
    }

    @Test
    void shouldReadACorrelationIdOfBytesWhenItIsText() {
        ByteBuffer text = Records.aRecord()
                .correlated("grün\uD83D\uDE00".getBytes(StandardCharsets.UTF_8))
                .bytes();
        assertThat(truth("JMSCorrelationID = 'grün\uD83D\uDE00'", text)).isEqualTo("true");
        for (int edge : LikePatternTest.EDGES) {
            String character = Character.toString(edge);
            ByteBuffer one = Records.aRecord()
                    .correlated(character.getBytes(StandardCharsets.UTF_8))
                    .bytes();
            assertThat(truth("JMSCorrelationID = '" + character + "'", one))
                    .as(Integer.toHexString(edge))
                    .isEqualTo("true");
        }
        for (byte[] none : new byte[][] {
            {(byte) 0xC1, (byte) 0xBF},
            {(byte) 0xED, (byte) 0xBF, (byte) 0xBF},
            {(byte) 0xE0, (byte) 0x9F, (byte) 0xBF},
            {(byte) 0xF0, (byte) 0x8F, (byte) 0xBF, (byte) 0xBF},
            {(byte) 0xFF},
            {(byte) 0xC3},
            {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
            {(byte) 0xE0, (byte) 0x80, (byte) 0x80},
            {(byte) 0xF0, (byte) 0x80, (byte) 0x80, (byte) 0x80},
            {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80}
        }) {
            assertThat(truth(
                            "JMSCorrelationID IS NULL",
                            Records.aRecord().correlated(none).bytes()))
                    .isEqualTo("true");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a = 1", "a IS NULL", "NOT a = 1", "JMSType IS NULL", "JMSXGroupSeq = 1", "zz LIKE '%' OR TRUE"})
    void shouldReadNothingOutsideWhenARegionIsDamaged(String text) {
        Selector selector = Selector.parse(text, LIMITS);
        ByteBuffer whole = Records.aRecord()
                .with("b", "text")
                .with("a", 1)
                .with("c", 1.5)
                .ofType("car")
                .inGroup("g", 1)
                .bytes();
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            ByteBuffer record =
                    ByteBuffer.allocate(whole.limit()).put(whole.duplicate()).flip();
            for (int i = random.nextInt(3); i >= 0; i--) {
                int at = MessageRecord.HEADER_LENGTH + random.nextInt(whole.limit() - MessageRecord.HEADER_LENGTH);
                record.put(at, (byte) random.nextInt());
            }
            selector.matches(record, 0, 0); // answers, and reads not beyond the limit
        }
    }

    @Test
    void shouldNotMatchWhenARegionIsDamaged() {
        ByteBuffer record = Records.aRecord().with("a", 1).bytes();
        record.put(record.limit() - 5, (byte) 99); // its type
        assertThat(Selector.parse("a IS NULL", LIMITS).matches(record, 0, 0)).isFalse();
        assertThat(Selector.parse("JMSPriority = 4", LIMITS).matches(record, 0, 0))
                .isTrue();
        record = Records.aRecord().ofType("car").bytes();
        record.putInt(MessageRecord.HEADER_LENGTH + 1, -1);
        assertThat(Selector.parse("JMSType IS NULL", LIMITS).matches(record, 0, 0))
                .isFalse();
    }
}
