package io.duramen.management;

import javax.management.ConstructorParameters;

/**
 * A setting of a destination. Immutable.
 *
 * @param key as {@link DestinationsMXBean#change} takes it
 * @param value that holds, as that takes it
 * @param changed whether it was changed of this destination; otherwise it follows from the node's settings
 */
public record SettingRow(String key, String value, boolean changed) {
    @ConstructorParameters({"key", "value", "changed"})
    public SettingRow {}

    public String getKey() {
        return key;
    }

    public String getValue() {
        return value;
    }

    public boolean isChanged() {
        return changed;
    }
}
