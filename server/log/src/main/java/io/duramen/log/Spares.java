package io.duramen.log;

import java.util.ArrayDeque;

/**
 * Files of released segments, by name, that wait to be filled anew: that writes every byte once, where a new file is
 * written with zeros first. Bounded. Confined to the agent.
 */
final class Spares {
    private final long length;
    private final int max;
    private final ArrayDeque<String> names = new ArrayDeque<>();
    private int coming;

    /**
     * @param length that a file has to be of use
     * @param max kept at a time
     */
    Spares(long length, int max) {
        this.length = length;
        this.max = max;
    }

    /** Whether there is room for one more of that length; it is then on its way until {@link #add} or {@link #lost}. */
    boolean expect(long fileLength) {
        if (fileLength != length || names.size() + coming >= max) {
            return false;
        }
        coming++;
        return true;
    }

    /** One that was expected is there. */
    void add(String name) {
        coming--;
        names.add(name);
    }

    /** One that was expected will not come. */
    void lost() {
        coming--;
    }

    boolean isEmpty() {
        return names.isEmpty();
    }

    /** @return null for none */
    String take() {
        return names.poll();
    }
}
