package io.duramen.broker.destination;

import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A name in which {@code *} stands for any characters, none included. Immutable; equal where the text is. */
public record NamePattern(String text, Pattern pattern) {
    public NamePattern(String text) {
        this(
                text,
                Pattern.compile(
                        Stream.of(text.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")),
                        Pattern.DOTALL));
    }

    public boolean matches(String name) {
        return pattern.matcher(name).matches();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NamePattern same && same.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }
}
