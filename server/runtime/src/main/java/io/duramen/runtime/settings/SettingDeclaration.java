package io.duramen.runtime.settings;

import java.lang.reflect.RecordComponent;
import java.util.Locale;

/**
 * One setting as its record declares it. Immutable.
 *
 * @param key with prefix, in kebab case
 * @param defaultText as it would stand in a file
 * @param min as it would stand in a file, empty for none; likewise {@code max}
 */
record SettingDeclaration(String key, SettingType type, String defaultText, String min, String max, String doc) {
    static SettingDeclaration of(String prefix, RecordComponent component) {
        Setting setting = component.getAnnotation(Setting.class);
        if (setting == null) {
            throw new IllegalArgumentException(
                    component.getDeclaringRecord() + ": " + component.getName() + " carries no @Setting");
        }
        String key = prefix + "." + kebab(component.getName());
        SettingType type = SettingType.of(component.getGenericType());
        SettingDeclaration declaration =
                new SettingDeclaration(key, type, setting.value(), setting.min(), setting.max(), setting.doc());
        declaration.parse(setting.value());
        return declaration;
    }

    /** The environment variable that sets it. */
    String environmentName() {
        return SettingsCatalog.ENVIRONMENT_PREFIX
                + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /** @throws IllegalArgumentException naming value and limit, a secret's value left out */
    Object parse(String text) {
        String shown = type.isSecret() ? "(secret)" : "'" + text + "'";
        Object value;
        try {
            value = type.parse(text);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    type.isSecret() ? "(secret) cannot be read" : explained(shown, e.getMessage()), e);
        }
        if (!min.isEmpty() && type.compare(value, type.parse(min)) < 0) {
            throw new IllegalArgumentException(shown + " is below the smallest value allowed, " + min);
        }
        if (!max.isEmpty() && type.compare(value, type.parse(max)) > 0) {
            throw new IllegalArgumentException(shown + " is above the largest value allowed, " + max);
        }
        return value;
    }

    private static String explained(String shown, String reason) {
        return reason.startsWith(shown) ? reason : shown + " " + reason;
    }

    private static String kebab(String camel) {
        StringBuilder kebab = new StringBuilder();
        for (char c : camel.toCharArray()) {
            if (Character.isUpperCase(c)) {
                kebab.append('-');
            }
            kebab.append(Character.toLowerCase(c));
        }
        return kebab.toString();
    }
}
