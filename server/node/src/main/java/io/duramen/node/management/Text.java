package io.duramen.node.management;

/** What consoles leave out, and selectors. */
final class Text {
    private Text() {}

    /** A console may give null for a text that is left out. */
    static String orEmpty(String text) {
        return text == null ? "" : text;
    }

    /** A pattern of names; all where it is left out. */
    static String pattern(String text) {
        return orEmpty(text).isEmpty() ? "*" : text;
    }

    /** As a literal of a selector. */
    static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /** A selector that wants both; each may be empty. */
    static String both(String one, String other) {
        if (one.isBlank() || other.isBlank()) {
            return one.isBlank() ? other : one;
        }
        return "(" + one + ") AND (" + other + ")";
    }
}
