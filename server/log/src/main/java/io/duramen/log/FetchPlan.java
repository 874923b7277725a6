package io.duramen.log;

import java.util.ArrayList;
import java.util.List;

/** Decides which stretches of a segment a fetch reads. Stateless. */
final class FetchPlan {
    /** Rather than to leave out so few bytes, they are read along. */
    private static final int GAP_MAX = 4 * 1024;

    private static final int STRETCHES_MAX = 64;

    private FetchPlan() {}

    /**
     * At least what holds the offset, and of what follows as much as is wanted.
     *
     * @param end bytes behind this position are not read
     */
    static List<Fetch.Stretch> stretches(IndexItems.Run run, long offset, int wanted, int end) {
        IndexItems items = run.items();
        List<Fetch.Stretch> stretches = new ArrayList<>();
        int item = items.floor(run.from(), run.to(), offset);
        if (item < 0) {
            return stretches;
        }
        int first = item;
        int last = item;
        long bytes = items.end(item) - items.position(item);
        while (++item < run.to()) {
            int gap = items.position(item) - items.end(last);
            int more = items.end(item) - items.position(item) + (gap <= GAP_MAX ? gap : 0);
            if (bytes + more > wanted) {
                break;
            }
            bytes += more;
            if (gap > GAP_MAX) {
                stretches.add(stretch(items, first, last, end));
                first = item;
                if (stretches.size() == STRETCHES_MAX - 1) {
                    last = item;
                    break;
                }
            }
            last = item;
        }
        stretches.add(stretch(items, first, last, end));
        return stretches;
    }

    private static Fetch.Stretch stretch(IndexItems items, int first, int last, int end) {
        int to = Math.min(items.end(last), end);
        int position = items.position(first);
        return new Fetch.Stretch(position, Math.max(position, to), items.entryEnd(first));
    }
}
