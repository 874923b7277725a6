package io.duramen.jms.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageIdTest {
    @ParameterizedTest
    @CsvSource({
        "1,0,ID:0000000000000001-0",
        "-1,-1,ID:ffffffffffffffff-18446744073709551615",
        "0,9,ID:0000000000000000-9"
    })
    void shouldParseWhatItWrites(long producer, long number, String text) {
        assertThat(MessageId.text(producer, number)).isEqualTo(text);
        assertThat(MessageId.parse(text)).isEqualTo(new MessageId(producer, number));
    }

    @Test
    void shouldHaveNoTextWithoutId() {
        assertThat(MessageId.text(0, 0)).isNull();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "ID:1", "ID:0000000000000001-", "ID:0000000000000001-x", "ID:000000000000000A-1"})
    @ValueSource(strings = {"ID:0000000000000001-01", "ID:+000000000000001-1", "id:0000000000000001-1"})
    void shouldNotParseWhatItDidNotWrite(String text) {
        assertThat(MessageId.parse(text)).isNull();
    }
}
