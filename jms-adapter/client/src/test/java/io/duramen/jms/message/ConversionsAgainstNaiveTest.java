package io.duramen.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.StreamMessage;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** 100,000 random values, each read as a random type: every kind of message says what the naive evaluator says. */
class ConversionsAgainstNaiveTest {
    private static final int PAIRS = Integer.getInteger("conversion.pairs", 100_000);
    private static final int PAIRS_OF_MESSAGE = 20;

    private static final List<Class<?>> TYPES = List.of(
            boolean.class,
            byte.class,
            short.class,
            char.class,
            int.class,
            long.class,
            float.class,
            double.class,
            String.class,
            byte[].class);

    private int converted;
    private int refused;

    @Test
    void shouldAgreeWithTheNaiveEvaluatorWhateverIsWrittenAndRead() throws Exception {
        for (long seed = 0; seed < PAIRS / PAIRS_OF_MESSAGE; seed++) {
            Random random = new Random(seed * 0x9E3779B97F4A7C15L);
            Object written = RandomValues.draw(random);
            DuramenMapMessage map = new DuramenMapMessage();
            DuramenMessage plain = new DuramenMessage();
            map.setObject("p", written);
            boolean isProperty = !(written instanceof Character || written instanceof byte[]);
            if (isProperty) {
                plain.setObjectProperty("p", written);
            }
            MapMessage receivedMap = Records.received(map);
            Message received = Records.received(plain);
            for (int i = 0; i < PAIRS_OF_MESSAGE; i++) {
                Class<?> type = TYPES.get(random.nextInt(TYPES.size()));
                Object expected = NaiveConversion.of(written, type);
                String what = "seed " + seed + ": " + written + " as " + type;
                agrees(what, () -> Readings.entry(map, "p", type), expected);
                agrees(what, () -> Readings.entry(receivedMap, "p", type), expected);
                if (isProperty && type != char.class && type != byte[].class) {
                    agrees(what, () -> Readings.property(plain, "p", type), expected);
                    agrees(what, () -> Readings.property(received, "p", type), expected);
                }
            }
        }
        assertThat(Math.min(converted, refused))
                .as("%d converted, %d refused", converted, refused)
                .isGreaterThan(PAIRS / 4);
    }

    /** A stream stands where it was after each refusal, and goes on after what could be read. */
    @Test
    void shouldAgreeWithTheNaiveEvaluatorWhereverAStreamIs() throws Exception {
        for (long seed = 0; seed < PAIRS / PAIRS_OF_MESSAGE; seed++) {
            Random random = new Random(seed * 0x9E3779B97F4A7C15L + 1);
            DuramenStreamMessage written = new DuramenStreamMessage();
            List<Object> values = random.ints(4)
                    .mapToObj(each -> RandomValues.draw(new Random(each)))
                    .toList();
            for (Object value : values) {
                written.writeObject(value);
            }
            StreamMessage received = Records.received(written);
            for (Object value : values) {
                readOn(received, value, "seed " + seed + ": " + value, random);
            }
        }
    }

    private void readOn(StreamMessage stream, Object value, String what, Random random) throws Exception {
        for (int tries = 0; tries < PAIRS_OF_MESSAGE / 4; tries++) {
            Class<?> type = TYPES.get(random.nextInt(TYPES.size() - 1)); // readBytes has rules of its own
            Object expected = NaiveConversion.of(value, type);
            agrees(what + " as " + type, () -> Readings.next(stream, type), expected);
            if (!(expected instanceof Class<?>)) {
                return;
            }
        }
        assertThat(stream.readObject()).as(what).isEqualTo(value);
    }

    private void agrees(String what, Readings.Read read, Object expected) {
        Object[] result = new Object[1];
        Throwable thrown = catchThrowable(() -> result[0] = read.get());
        if (expected instanceof Class<?> exception) {
            assertThat(thrown).as(what).isExactlyInstanceOf(exception);
            refused++;
        } else {
            assertThat(thrown).as(what).isNull();
            assertThat(result[0]).as(what).isEqualTo(expected);
            converted++;
        }
    }
}
