package io.duramen.log;

import java.util.Collection;
import java.util.TreeSet;

/**
 * Names of the files of a segment: its number in 16 digits, with {@code .log} or {@code .index}; with {@code .spare} one
 * that was released and has no entry of use. Beside them {@value #SECRET}, see {@link SecretFile}. Stateless.
 */
final class SegmentName {
    /** The one file of a log that is not a segment's. */
    static final String SECRET = "log.secret";

    private static final int DIGITS = 16;
    private static final String LOG = ".log";
    private static final String INDEX = ".index";
    private static final String SPARE = ".spare";

    private SegmentName() {}

    static String log(long number) {
        return digits(number) + LOG;
    }

    static String index(long number) {
        return digits(number) + INDEX;
    }

    /** The last number that it had. */
    static String spare(long number) {
        return digits(number) + SPARE;
    }

    private static String digits(long number) {
        String digits = Long.toString(number);
        return "0".repeat(DIGITS - digits.length()) + digits;
    }

    /** Numbers of those names that are segments'. */
    static TreeSet<Long> logNumbers(Collection<String> names) {
        return numbers(names, LOG);
    }

    static TreeSet<Long> indexNumbers(Collection<String> names) {
        return numbers(names, INDEX);
    }

    static TreeSet<Long> spareNumbers(Collection<String> names) {
        return numbers(names, SPARE);
    }

    /** Of a name that is a segment's. */
    static long number(String name) {
        return Long.parseLong(name.substring(0, DIGITS));
    }

    private static TreeSet<Long> numbers(Collection<String> names, String suffix) {
        TreeSet<Long> numbers = new TreeSet<>();
        for (String name : names) {
            if (name.length() == DIGITS + suffix.length()
                    && name.endsWith(suffix)
                    && name.chars().limit(DIGITS).allMatch(c -> c >= '0' && c <= '9')) {
                numbers.add(number(name));
            }
        }
        return numbers;
    }
}
