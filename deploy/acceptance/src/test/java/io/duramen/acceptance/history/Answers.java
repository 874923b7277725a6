package io.duramen.acceptance.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Calls that the server has answered: by them is told how far it had come, however slow the machine was. Not thread-safe.
 */
final class Answers {
    private record Call(long beganNanos, long answeredNanos) {}

    private final List<Call> calls = new ArrayList<>();

    /** For each call, in the order in which they began, when the first was answered of it and all that began later. */
    private long[] firstAnswered = new long[0];

    void add(long beganNanos, long answeredNanos) {
        calls.add(new Call(beganNanos, answeredNanos));
    }

    /** When the first of the calls was answered that began then or later; {@link Long#MAX_VALUE} where none was. */
    long firstOfThoseBegunSince(long nanos) {
        if (firstAnswered.length != calls.size()) {
            sort();
        }
        int low = 0;
        int high = calls.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (calls.get(middle).beganNanos < nanos) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == calls.size() ? Long.MAX_VALUE : firstAnswered[low];
    }

    private void sort() {
        calls.sort(Comparator.comparingLong(Call::beganNanos));
        firstAnswered = new long[calls.size()];
        long first = Long.MAX_VALUE;
        for (int i = calls.size() - 1; i >= 0; i--) {
            first = Math.min(first, calls.get(i).answeredNanos);
            firstAnswered[i] = first;
        }
    }
}
