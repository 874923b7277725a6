package io.duramen.bench;

import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of JSON as the harness prints it. Immutable. Only what the tables need is looked for: numbers at the top and
 * in the two groups of latencies.
 */
record Result(String line) {
    private static final String NUMBER = "\\s*:\\s*(-?[0-9.]+(?:[eE][-+]?[0-9]+)?)";

    String scenario() {
        return text("scenario");
    }

    String label() {
        return text("label");
    }

    /** Whether the run measured something. */
    boolean isComplete() {
        return !line.contains("\"failed\"")
                && !line.contains("\"unsupported\"")
                && number("received_per_s").isPresent();
    }

    /** A number at the top; empty where it is missing or null. */
    OptionalDouble number(String key) {
        return find(Pattern.compile("\"" + key + "\"" + NUMBER));
    }

    /** A number of a group such as {@code e2e_us}. */
    OptionalDouble number(String group, String key) {
        return find(Pattern.compile("\"" + group + "\"\\s*:\\s*\\{[^}]*\"" + key + "\"" + NUMBER));
    }

    private OptionalDouble find(Pattern pattern) {
        Matcher matcher = pattern.matcher(line);
        return matcher.find() ? OptionalDouble.of(Double.parseDouble(matcher.group(1))) : OptionalDouble.empty();
    }

    private String text(String key) {
        Matcher matcher =
                Pattern.compile("\"" + key + "\"\\s*:\\s*\"([^\"]*)\"").matcher(line);
        return matcher.find() ? matcher.group(1) : "";
    }
}
