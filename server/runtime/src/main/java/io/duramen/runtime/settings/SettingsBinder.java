package io.duramen.runtime.settings;

import io.smallrye.config.ConfigValue;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.common.MapBackedConfigSource;
import java.io.IOException;
import java.io.Reader;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Makes settings records from layers of text: file, environment, command line; the later wins. Immutable once built, and
 * built only from layers that hold nothing but known keys with allowed values.
 */
public final class SettingsBinder {
    private static final int FILE_ORDINAL = 100;
    private static final int ENVIRONMENT_ORDINAL = 300;
    private static final int OVERRIDES_ORDINAL = 400;

    private final SettingsCatalog catalog;
    private final SmallRyeConfig layers;

    private SettingsBinder(SettingsCatalog catalog, SmallRyeConfig layers) {
        this.catalog = catalog;
        this.layers = layers;
    }

    public static Builder of(SettingsCatalog catalog) {
        return new Builder(catalog);
    }

    /**
     * @throws SettingsException where the record's constructor refuses the values together
     */
    public <T extends Record> T bind(Class<T> type) {
        List<Object> values = new ArrayList<>();
        for (SettingDeclaration declaration : catalog.declarationsOf(type)) {
            values.add(declaration.parse(text(declaration)));
        }
        List<Class<?>> types = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            types.add(component.getType());
        }
        try {
            Constructor<T> constructor = type.getDeclaredConstructor(types.toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return constructor.newInstance(values.toArray());
        } catch (InvocationTargetException e) {
            throw new SettingsException(
                    List.of(catalog.prefixOf(type) + ".*: " + e.getCause().getMessage()));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " cannot be made by reflection", e);
        }
    }

    /** What differs from the defaults, as {@code key=value (where)}; values of secrets hidden. */
    public List<String> changed() {
        List<String> changed = new ArrayList<>();
        for (SettingDeclaration declaration : catalog.declarations()) {
            String text = text(declaration);
            if (!text.equals(declaration.defaultText())) {
                String where = layers.getConfigValue(declaration.key()).getConfigSourceName();
                changed.add(declaration.key() + "=" + (declaration.type().isSecret() ? "(secret)" : text) + " (" + where
                        + ")");
            }
        }
        return changed;
    }

    private String text(SettingDeclaration declaration) {
        ConfigValue value = layers.getConfigValue(declaration.key());
        // An empty value counts as none for SmallRye; here it is the empty text.
        String raw = value.getRawValue();
        return raw == null ? declaration.defaultText() : raw.trim();
    }

    /** Gathers the layers. Not thread-safe. */
    public static final class Builder {
        private final SettingsCatalog catalog;
        private final List<String> problems = new ArrayList<>();
        private final SmallRyeConfigBuilder layers = new SmallRyeConfigBuilder();

        private Builder(SettingsCatalog catalog) {
            this.catalog = catalog;
        }

        /**
         * Adds a properties file, in UTF-8.
         *
         * @throws SettingsException where it cannot be read
         */
        public Builder file(Path file) {
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(file)) {
                properties.load(reader);
            } catch (IOException | IllegalArgumentException e) {
                throw new SettingsException(List.of("settings file " + file + " cannot be read: " + e));
            }
            Map<String, String> found = new TreeMap<>();
            properties.stringPropertyNames().forEach(key -> found.put(key, properties.getProperty(key)));
            return layer(found, file.toString(), FILE_ORDINAL);
        }

        /**
         * Adds the environment. Names that begin with {@code DURAMEN_} and one of the prefixes have to be settings; other
         * names are somebody else's.
         */
        public Builder environment(Map<String, String> environment) {
            Map<String, String> keyByName = new HashMap<>();
            for (SettingDeclaration declaration : catalog.declarations()) {
                keyByName.put(declaration.environmentName(), declaration.key());
            }
            Map<String, String> found = new TreeMap<>();
            new TreeMap<>(environment).forEach((name, value) -> {
                String key = keyByName.get(name);
                if (key != null) {
                    found.put(key, value);
                } else if (name.startsWith(SettingsCatalog.ENVIRONMENT_PREFIX)) {
                    String like = name.substring(SettingsCatalog.ENVIRONMENT_PREFIX.length())
                            .toLowerCase(java.util.Locale.ROOT)
                            .replaceFirst("_", ".")
                            .replace('_', '-');
                    if (like.contains(".") && catalog.hasPrefix(like.substring(0, like.indexOf('.')))) {
                        problems.add(name + " (environment): no such setting; " + catalog.nearest(like));
                    }
                }
            });
            return layer(found, "environment", ENVIRONMENT_ORDINAL);
        }

        /** Adds what the command line, or the embedding program, says. */
        public Builder overrides(Map<String, String> overrides) {
            return layer(new TreeMap<>(overrides), "command line", OVERRIDES_ORDINAL);
        }

        /** @throws SettingsException naming every key that is unknown or whose value is not allowed */
        public SettingsBinder build() {
            if (!problems.isEmpty()) {
                throw new SettingsException(problems);
            }
            return new SettingsBinder(catalog, layers.build());
        }

        private Builder layer(Map<String, String> values, String name, int ordinal) {
            values.forEach((key, text) -> {
                SettingDeclaration declaration = catalog.declaration(key).orElse(null);
                if (declaration == null) {
                    problems.add(key + " (" + name + "): no such setting; " + catalog.nearest(key));
                    return;
                }
                try {
                    declaration.parse(text.trim());
                } catch (IllegalArgumentException e) {
                    problems.add(key + " (" + name + "): " + e.getMessage());
                }
            });
            layers.withSources(new MapBackedConfigSource(name, values, ordinal) {});
            return this;
        }
    }
}
