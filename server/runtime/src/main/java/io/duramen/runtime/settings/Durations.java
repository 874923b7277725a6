package io.duramen.runtime.settings;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them in settings. */
public final class Durations {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18})(ms|s|m|h|d)");

    private Durations() {}

    /** @throws IllegalArgumentException for anything but {@code 250ms}, {@code 2s}, {@code 5m}, {@code 1h}, {@code 7d} */
    public static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("is not a duration such as 250ms, 2s, 5m, 1h or 7d");
        }
        long count = Long.parseLong(matcher.group(1));
        try {
            Duration duration = switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(count);
                case "s" -> Duration.ofSeconds(count);
                case "m" -> Duration.ofMinutes(count);
                case "h" -> Duration.ofHours(count);
                default -> Duration.ofDays(count);
            };
            duration.toNanos();
            return duration;
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("is longer than 292 years", e);
        }
    }
}
