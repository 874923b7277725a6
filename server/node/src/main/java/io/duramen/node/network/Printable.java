package io.duramen.node.network;

/** What a stranger sent, made fit for a log line or an answer. */
final class Printable {
    private static final int LENGTH_MAX = 80;

    private Printable() {}

    /** The text without control characters and cut to a line's length. */
    static String of(String text) {
        if (text == null) {
            return "(none)";
        }
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length() && i < LENGTH_MAX; i++) {
            char c = text.charAt(i);
            shown.append(Character.isISOControl(c) || c == '\u2028' || c == '\u2029' ? '?' : c);
        }
        return text.length() > LENGTH_MAX ? shown.append('…').toString() : shown.toString();
    }
}
