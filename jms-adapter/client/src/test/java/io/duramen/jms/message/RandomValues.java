package io.duramen.jms.message;

import java.util.List;
import java.util.Random;

/** Values that messages may hold, with those near which conversions go wrong. */
final class RandomValues {
    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "true",
            "TRUE",
            "tRuE",
            " true",
            "yes",
            "1",
            "0",
            "-0",
            "+7",
            " 7",
            "7 ",
            "07",
            "0x7",
            "#7",
            "7L",
            "1_000",
            "127",
            "128",
            "-128",
            "-129",
            "32767",
            "32768",
            "2147483647",
            "2147483648",
            "-2147483649",
            "9223372036854775807",
            "9223372036854775808",
            "1.5",
            "1e3",
            "1e400",
            "NaN",
            "-Infinity",
            "0x1p3",
            "1.5f",
            "1.5d",
            "٣",
            "x");
    private static final List<Number> EDGES =
            List.of(0L, -1L, 1L, 127L, 128L, -129L, 32_768L, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 31);

    private RandomValues() {}

    static Object draw(Random random) {
        long number = random.nextInt(3) == 0
                ? EDGES.get(random.nextInt(EDGES.size())).longValue()
                : random.nextLong() >> random.nextInt(64);
        return switch (random.nextInt(13)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> (byte) number;
            case 3 -> (short) number;
            case 4 -> (char) number;
            case 5 -> (int) number;
            case 6 -> number;
            case 7 -> Float.intBitsToFloat((int) number);
            case 8 -> Double.longBitsToDouble(number);
            case 9 -> bytes(random);
            case 10 -> Long.toString(number);
            case 11 -> Double.toString(Double.longBitsToDouble(number));
            default -> TEXTS.get(random.nextInt(TEXTS.size()));
        };
    }

    private static byte[] bytes(Random random) {
        byte[] bytes = new byte[random.nextInt(5)];
        random.nextBytes(bytes);
        return bytes;
    }
}
