package io.duramen.runtime.settings;

import java.util.Objects;

/** A value that is never printed: {@link #toString} hides it, and only {@link #reveal} gives it away. */
public final class Secret {
    private final String value;

    public Secret(String value) {
        this.value = Objects.requireNonNull(value);
    }

    public String reveal() {
        return value;
    }

    @Override
    public String toString() {
        return "(secret)";
    }
}
