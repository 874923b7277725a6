package io.duramen.runtime.settings;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How one type of setting is read from text. Immutable. */
interface SettingType {
    /** What a person has to write, for the reference. */
    String description();

    /** @throws IllegalArgumentException saying what is wrong with the text, without repeating it */
    Object parse(String text);

    /** Compares two parsed values where {@link #isOrdered}. */
    default int compare(Object first, Object second) {
        throw new IllegalStateException(description() + " has no bounds");
    }

    default boolean isOrdered() {
        return false;
    }

    default boolean isSecret() {
        return false;
    }

    /** @throws IllegalArgumentException for a type that no setting may have */
    static SettingType of(Type type) {
        if (type instanceof ParameterizedType generic
                && generic.getRawType() == List.class
                && generic.getActualTypeArguments()[0] == String.class) {
            return Simple.LIST;
        }
        if (type instanceof Class<?> c) {
            if (c.isEnum()) {
                return new Choice(c);
            }
            for (Simple simple : Simple.values()) {
                if (simple.type == c) {
                    return simple;
                }
            }
        }
        throw new IllegalArgumentException("no setting may be a " + type.getTypeName());
    }

    enum Simple implements SettingType {
        BOOLEAN(boolean.class, "true or false") {
            @Override
            public Object parse(String text) {
                return switch (text) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw new IllegalArgumentException("is neither true nor false");
                };
            }
        },
        INT(int.class, "number") {
            @Override
            public Object parse(String text) {
                try {
                    return Integer.parseInt(text);
                } catch (NumberFormatException e) {
                    throw new IllegalArgumentException("is not a whole number of at most 10 digits", e);
                }
            }
        },
        LONG(long.class, "number") {
            @Override
            public Object parse(String text) {
                try {
                    return Long.parseLong(text);
                } catch (NumberFormatException e) {
                    throw new IllegalArgumentException("is not a whole number", e);
                }
            }
        },
        STRING(String.class, "text") {
            @Override
            public Object parse(String text) {
                return text;
            }
        },
        PATH(Path.class, "path") {
            @Override
            public Object parse(String text) {
                return Path.of(text);
            }
        },
        DURATION(Duration.class, "duration such as 250ms, 2s, 5m, 1h, 7d") {
            @Override
            public Object parse(String text) {
                return Durations.parse(text);
            }
        },
        BYTES(Bytes.class, "size such as 512, 64KiB, 1MiB, 2GiB") {
            @Override
            public Object parse(String text) {
                return Bytes.parse(text);
            }
        },
        SECRET(Secret.class, "secret") {
            @Override
            public Object parse(String text) {
                return new Secret(text);
            }
        },
        LIST(List.class, "comma-separated list") {
            @Override
            public Object parse(String text) {
                return Stream.of(text.split(","))
                        .map(String::trim)
                        .filter(item -> !item.isEmpty())
                        .toList();
            }
        };

        private final Class<?> type;
        private final String description;

        Simple(Class<?> type, String description) {
            this.type = type;
            this.description = description;
        }

        @Override
        public String description() {
            return description;
        }

        @Override
        public boolean isOrdered() {
            return this == INT || this == LONG || this == DURATION || this == BYTES;
        }

        @Override
        public boolean isSecret() {
            return this == SECRET;
        }

        @Override
        @SuppressWarnings("unchecked")
        public int compare(Object first, Object second) {
            if (!isOrdered()) {
                return SettingType.super.compare(first, second);
            }
            return ((Comparable<Object>) first).compareTo(second);
        }
    }

    /** One of an enum's constants, written in kebab case. */
    record Choice(Class<?> type) implements SettingType {
        @Override
        public String description() {
            return Arrays.stream(type.getEnumConstants()).map(Choice::written).collect(Collectors.joining(", "));
        }

        @Override
        public Object parse(String text) {
            for (Object constant : type.getEnumConstants()) {
                if (written(constant).equals(text)) {
                    return constant;
                }
            }
            throw new IllegalArgumentException("is not one of " + description());
        }

        private static String written(Object constant) {
            return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
