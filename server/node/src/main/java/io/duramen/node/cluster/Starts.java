package io.duramen.node.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The starts of a node on a data directory: how many there were, and an id of each of the last ones. A directory that was put back
 * from a copy goes on from an earlier start than its last, with another id than that had: whoever met the node in between sees that.
 * Immutable.
 *
 * @param number how many there were, the present one among them
 * @param ids of the last ones, the present one's first
 */
record Starts(long number, List<String> ids) {
    /** Starts that another node may have missed, and still sees that this one goes on from those it knows. */
    static final int IDS_MAX = 32;

    static final Starts NONE = new Starts(0, List.of());
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,18}):((?:[0-9a-f]{8}(?:,[0-9a-f]{8}){0,31})?)");

    /** One of them. Immutable. */
    record Start(long number, String id) {
        private static final Pattern TEXT = Pattern.compile("([0-9]{1,19}):([0-9a-f]{8})");

        /** Comes after all that a directory can have had: of one that has forgotten what it had told to have stored. */
        static final Start FORGOTTEN = new Start(Long.MAX_VALUE, "00000000");

        /** @throws IllegalArgumentException where that is none */
        static Start parse(String text) {
            Matcher parts = TEXT.matcher(text);
            if (!parts.matches()) {
                throw new IllegalArgumentException("'" + text + "' is no start of a node");
            }
            return new Start(Long.parseLong(parts.group(1)), parts.group(2));
        }

        @Override
        public String toString() {
            return number + ":" + id;
        }
    }

    /** @throws IllegalArgumentException where the ids are not those of the last starts */
    Starts {
        ids = List.copyOf(ids);
        if (ids.size() != Math.min(number, IDS_MAX)) {
            throw new IllegalArgumentException(ids.size() + " ids of " + number + " starts");
        }
    }

    /** @throws IllegalArgumentException where that is not what {@link #toString} makes */
    static Starts parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("'" + text + "' are no starts of a node");
        }
        List<String> ids =
                parts.group(2).isEmpty() ? List.of() : List.of(parts.group(2).split(","));
        return new Starts(Long.parseLong(parts.group(1)), ids);
    }

    /** With another one. */
    Starts next(String id) {
        List<String> kept = new ArrayList<>(List.of(id));
        kept.addAll(ids.subList(0, Math.min(ids.size(), IDS_MAX - 1)));
        return new Starts(number + 1, kept);
    }

    Start last() {
        return new Start(number, ids.get(0));
    }

    /** Whether the one that is known was one of these, as far as can be told: one that is older than all ids cannot be. */
    boolean includes(Start known) {
        long before = number - known.number;
        return before >= 0 && (before >= ids.size() || ids.get((int) before).equals(known.id));
    }

    /** As {@link #includes}, by its id. */
    boolean surelyIncludes(Start known) {
        return includes(known) && number - known.number < ids.size();
    }

    @Override
    public String toString() {
        return number + ":" + String.join(",", ids);
    }
}
