package io.duramen.jms.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Any thread. Which classes the body of a received object message may hold: none, unless they are listed. Patterns are
 * {@code com.acme.Order} for a class, {@code com.acme.*} for those of a package, {@code com.acme.**} for those of a
 * package and the ones below it, and {@code **} for all. Nested classes are those of their package ({@code
 * com.acme.Order$Line}). Strings, arrays of what is allowed and of primitives, and the empty superclasses of numbers and
 * enums need no pattern.
 */
public final class AllowedClasses {
    /** Allows nothing. */
    public static final AllowedClasses NONE = new AllowedClasses(List.of());

    /** Allows everything: for what the application itself put in. */
    static final AllowedClasses ALL = new AllowedClasses(List.of("**"));

    private static final String BELOW = ".**";
    private static final String INSIDE = ".*";

    private final List<String> patterns;

    private AllowedClasses(List<String> patterns) {
        this.patterns = patterns;
    }

    /**
     * @param text patterns with commas between them; empty for none
     * @throws IllegalArgumentException naming the part that is no pattern
     */
    public static AllowedClasses parse(String text) {
        List<String> patterns = new ArrayList<>();
        for (String part : text.split(",")) {
            String pattern = part.trim();
            if (!pattern.isEmpty()) {
                patterns.add(checked(pattern));
            }
        }
        return patterns.isEmpty() ? NONE : new AllowedClasses(List.copyOf(patterns));
    }

    private static String checked(String pattern) {
        String name = pattern.equals("**")
                ? "all"
                : pattern.endsWith(BELOW)
                        ? pattern.substring(0, pattern.length() - BELOW.length())
                        : pattern.endsWith(INSIDE) ? pattern.substring(0, pattern.length() - INSIDE.length()) : pattern;
        for (String word : name.split("\\.", -1)) {
            if (word.isEmpty() || !word.codePoints().allMatch(Character::isJavaIdentifierPart)) {
                throw new IllegalArgumentException(
                        "'" + pattern
                                + "' is no class pattern: com.acme.Order, com.acme.*, com.acme.** and ** are, with commas between");
            }
        }
        return pattern;
    }

    /** @param type may be an array */
    boolean allows(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        if (element.isPrimitive() || element == Number.class || element == Enum.class || element == String.class) {
            return true;
        }
        boolean container = element == Object.class || element == Map.Entry.class; // says nothing of what is in it
        return type.isArray() && container || matches(element.getName());
    }

    private boolean matches(String name) {
        for (String pattern : patterns) {
            if (pattern.equals("**")
                    || pattern.equals(name)
                    || pattern.endsWith(BELOW) && name.startsWith(pattern.substring(0, pattern.length() - 2))
                    || pattern.endsWith(INSIDE) && isInside(pattern.substring(0, pattern.length() - 1), name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isInside(String packageWithDot, String name) {
        return name.startsWith(packageWithDot) && name.indexOf('.', packageWithDot.length()) < 0;
    }

    @Override
    public String toString() {
        return String.join(",", patterns);
    }
}
