package io.duramen.runtime.settings;

import java.util.List;

/** Settings that cannot be used. The message names every key at fault, with its value, where it stands and the limit. */
public final class SettingsException extends RuntimeException {
    private final transient List<String> problems;

    public SettingsException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
        this.problems = List.copyOf(problems);
    }

    /** One line for each. */
    public List<String> problems() {
        return problems;
    }
}
