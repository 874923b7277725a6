package io.duramen.broker.selector;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The pattern of a LIKE, matched in one pass over the text. Between its {@code %} stand stretches: the first and the last
 * are tied to the ends of the text, each other one is looked for behind the one before it, the first place being as good
 * as any. A stretch costs one machine word for each 64 characters of its own, at each character of the text. Confined to
 * its selector's thread.
 */
final class LikePattern {
    /** In a stretch: any one character. */
    private static final int ANY_ONE = -1;

    private final int[] first;
    private final Stretch[] between;

    /** Null where the pattern has no {@code %}. */
    private final int[] last;

    private LikePattern(int[] first, Stretch[] between, int[] last) {
        this.first = first;
        this.between = between;
        this.last = last;
    }

    /**
     * @param escape the character that takes its meaning from the one behind it; -1 for none
     * @return null where the escape character stands at the end, behind which there is nothing
     */
    static LikePattern parse(String pattern, int escape) {
        List<int[]> stretches = new ArrayList<>();
        int[] characters = pattern.codePoints().toArray();
        int[] stretch = new int[characters.length];
        int length = 0;
        for (int i = 0; i < characters.length; i++) {
            int character = characters[i];
            if (character == escape) {
                if (++i == characters.length) {
                    return null;
                }
                stretch[length++] = characters[i];
            } else if (character == '%') {
                stretches.add(Arrays.copyOf(stretch, length));
                length = 0;
            } else {
                stretch[length++] = character == '_' ? ANY_ONE : character;
            }
        }
        int[] end = Arrays.copyOf(stretch, length);
        if (stretches.isEmpty()) {
            return new LikePattern(end, new Stretch[0], null);
        }
        Stretch[] between = stretches.stream()
                .skip(1)
                .filter(one -> one.length > 0)
                .map(Stretch::new)
                .toArray(Stretch[]::new);
        return new LikePattern(stretches.get(0), between, end);
    }

    boolean matches(Value text) {
        ByteBuffer in = text.text();
        int end = text.textAt() + text.textLength();
        int at = text.textAt();
        for (int wanted : first) {
            if (at == end) {
                return false;
            }
            int width = CodePoints.width(in, at, end);
            if (wanted != ANY_ONE && wanted != CodePoints.read(in, at, width)) {
                return false;
            }
            at += width;
        }
        if (last == null) {
            return at == end;
        }
        for (int i = last.length - 1; i >= 0; i--) {
            if (at == end) {
                return false;
            }
            int begin = CodePoints.before(in, at, end);
            if (last[i] != ANY_ONE && last[i] != CodePoints.read(in, begin, end - begin)) {
                return false;
            }
            end = begin;
        }
        for (int i = 0; i < between.length && at >= 0; i++) {
            at = between[i].endOfFirst(in, at, end);
        }
        return at >= 0;
    }

    /** A stretch that may stand anywhere; all places where it may have begun are followed at once, a bit for each. */
    private static final class Stretch {
        private final int length;
        private final int[] characters;
        private final long[][] bits;
        private final long[] anyOne;
        private final long[] state;

        Stretch(int[] stretch) {
            length = stretch.length;
            int words = (length + Long.SIZE - 1) / Long.SIZE;
            characters = Arrays.stream(stretch)
                    .filter(character -> character != ANY_ONE)
                    .sorted()
                    .distinct()
                    .toArray();
            bits = new long[characters.length][words];
            anyOne = new long[words];
            state = new long[words];
            for (int i = 0; i < length; i++) {
                long bit = 1L << i;
                int word = i / Long.SIZE;
                if (stretch[i] == ANY_ONE) {
                    anyOne[word] |= bit;
                } else {
                    bits[Arrays.binarySearch(characters, stretch[i])][word] |= bit;
                }
            }
            for (long[] one : bits) {
                for (int word = 0; word < words; word++) {
                    one[word] |= anyOne[word];
                }
            }
        }

        /** Where the first occurrence at or behind {@code at} ends; -1 where there is none. */
        int endOfFirst(ByteBuffer in, int at, int end) {
            Arrays.fill(state, 0);
            int lastWord = state.length - 1;
            long complete = 1L << (length - 1);
            int next = at;
            while (next < end) {
                int width = CodePoints.width(in, next, end);
                step(bitsOf(CodePoints.read(in, next, width)));
                next += width;
                if ((state[lastWord] & complete) != 0) {
                    return next;
                }
            }
            return -1;
        }

        private long[] bitsOf(int character) {
            int index = Arrays.binarySearch(characters, character);
            return index < 0 ? anyOne : bits[index];
        }

        private void step(long[] allowed) {
            long carry = 1;
            for (int word = 0; word < state.length; word++) {
                long before = state[word];
                state[word] = (before << 1 | carry) & allowed[word];
                carry = before >>> (Long.SIZE - 1);
            }
        }
    }
}
