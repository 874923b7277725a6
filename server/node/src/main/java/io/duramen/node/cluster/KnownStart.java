package io.duramen.node.cluster;

import java.util.List;
import java.util.stream.Stream;

/**
 * In which start of which directory a node was met last, as another node tells. Immutable.
 *
 * @param directory id of it
 */
record KnownStart(String node, String directory, Starts.Start start) {
    /** @throws IllegalArgumentException where that is not a list of such, with a {@code ;} between them */
    static List<KnownStart> parse(String text) {
        return text.isEmpty()
                ? List.of()
                : Stream.of(text.split(";", -1)).map(KnownStart::ofRow).toList();
    }

    private static KnownStart ofRow(String row) {
        String[] parts = row.split("=", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("'" + row + "' does not say in which start a node was met");
        }
        return new KnownStart(parts[0], parts[1], Starts.Start.parse(parts[2]));
    }

    @Override
    public String toString() {
        return node + "=" + directory + "=" + start;
    }
}
