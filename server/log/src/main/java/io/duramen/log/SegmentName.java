package io.duramen.log;

import java.util.Collection;
import java.util.TreeSet;

/** Names of the files of a segment: its number in 16 digits, with {@code .log} or {@code .index}. Stateless. */
final class SegmentName {
    private static final int DIGITS = 16;
    private static final String LOG = ".log";
    private static final String INDEX = ".index";

    private SegmentName() {}

    static String log(long number) {
        return digits(number) + LOG;
    }

    static String index(long number) {
        return digits(number) + INDEX;
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

    private static TreeSet<Long> numbers(Collection<String> names, String suffix) {
        TreeSet<Long> numbers = new TreeSet<>();
        for (String name : names) {
            if (name.length() == DIGITS + suffix.length()
                    && name.endsWith(suffix)
                    && name.chars().limit(DIGITS).allMatch(c -> c >= '0' && c <= '9')) {
                numbers.add(Long.parseLong(name.substring(0, DIGITS)));
            }
        }
        return numbers;
    }
}
