package io.duramen.broker.selector;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Records;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which selectors demand a value of one field, and how values are told apart. */
class EqualityTest {
    private static Equality of(String text) {
        return Selector.parse(text, SelectorLimits.NONE).equality().orElse(null);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            a = 'x'                                | a                | x
            'x' = a                                | a                | x
            (a) = ('x')                            | a                | x
            a = 'x' AND b > 1                      | a                | x
            b > 1 AND (c OR d) AND a = 'x'         | a                | x
            ((a = 'x') AND b) AND c                | a                | x
            a IN ('x', 'y', 'x')                   | a                | x,y
            a = 'x' AND b = 'y'                    | a                | x
            a = 'x' AND JMSCorrelationID = 'it''s' | JMSCorrelationID | it's
            """)
    void shouldBeFoundWhereASelectorDemandsAValue(String text, String field, String values) {
        assertThat(of(text)).isEqualTo(new Equality(field, List.of(values.split(","))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a = 'x' OR b = 'y'", "NOT a = 'x'", "NOT (a = 'x')", "a <> 'x'", "a = 1", "a = b", "a NOT IN ('x')",
                "a LIKE 'x'", "a", "(a = 'x') = TRUE", "a IS NULL", "NOT (a = 'x' AND b)", "'x' = 'x'",
                        "a BETWEEN 1 AND 2"
            })
    void shouldNotBeFoundWhereOtherValuesMayMatch(String text) {
        assertThat(of(text)).isNull();
    }

    @Test
    void shouldReadTheValueAsTheLiteralHasIt() {
        ByteBuffer record = Records.aRecord()
                .with("a", "grün")
                .with("n", 7)
                .correlated("c-1")
                .bytes();
        assertThat(of("a = 'grün'").values()).containsExactly(new Equality.Reader("a").valueOf(record, 0));
        assertThat(of("JMSCorrelationID = 'c-1'").values())
                .containsExactly(new Equality.Reader("JMSCorrelationID").valueOf(record, 0));
        assertThat(of("a = 'gruen'").values()[0]).isNotEqualTo(new Equality.Reader("a").valueOf(record, 0));
        assertThat(new Equality.Reader("n").valueOf(record, 0)).isEqualTo(Equality.NO_VALUE);
        assertThat(new Equality.Reader("absent").valueOf(record, 0)).isEqualTo(Equality.NO_VALUE);
        assertThat(of("a IN ('x', 'y')").values()).hasSize(2).doesNotHaveDuplicates();
    }
}
