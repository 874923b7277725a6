package io.duramen.broker.dedup;

import java.util.Arrays;

/**
 * Finds the place of a key in a {@link DedupWindow}: open addressing with linear probing over numbers of places, some 10
 * bytes a key. From some thousand keys on it is split by their hash into many tables, each of which is made anew by itself,
 * so that no step is long. Confined to the shard's agent.
 *
 * <p>A place that the window has forgotten stays until its table is made anew: to look for each that goes would cost as
 * much as to look for each that comes, since hardly any of it is in the processor's caches.
 */
final class KeyIndex {
    private static final int SMALLEST = 16;
    private static final int SPLIT_BITS = 13;
    private static final int SPLIT_AT = 24_000;

    /** A tag says where in a table of this length, or a shorter one, a key belongs. */
    private static final int TAGS = 1 << Short.SIZE;

    private final DedupWindow window;

    /**
     * Of each place in the tables the low bits of its key's hash, 0 for none: what is probed, so that of a key that is not
     * there nothing else has to be looked at.
     */
    private short[][] tags = {new short[SMALLEST]};

    private int[][] places = {new int[SMALLEST]};

    /** Places in each table, those that the window has forgotten among them. */
    private int[] used = new int[1];

    private boolean split;

    // What the last table that was made anew stood in.
    private short[] spareTags = {};
    private int[] sparePlaces = {};

    /** Keeps the processor from leaving {@link #touch} out. */
    private int touched;

    KeyIndex(DedupWindow window) {
        this.window = window;
    }

    /** @param keys how many will come at once */
    static KeyIndex of(DedupWindow window, long keys) {
        KeyIndex index = new KeyIndex(window);
        if (keys > SPLIT_AT) {
            int length = SMALLEST;
            while (isLong(keys >>> SPLIT_BITS, length)) {
                length *= 2;
            }
            index.split(length);
        }
        return index;
    }

    /** Whether that many keys are too many for a table of that length to be made anew for them. */
    private static boolean isLong(long keys, int length) {
        return keys > length / 8 * 5;
    }

    private int tableOf(long hashed) {
        return split ? (int) (hashed >>> Long.SIZE - SPLIT_BITS) : 0;
    }

    /** Never 0. */
    private static short tagOf(long hashed) {
        short tag = (short) hashed;
        return tag == 0 ? 1 : tag;
    }

    /** Where it belongs in a table of that length. In one of up to {@link #TAGS} the tag says it. */
    private static int homeOf(long hashed, short tag, int length) {
        return (length <= TAGS ? tag : (int) (hashed >>> Short.SIZE)) & length - 1;
    }

    /**
     * Brings what belongs to the first keys of these hashes nearer: the misses of one after the other would each be waited
     * for, those of many at once are not. Of a key that is not there only a tag is looked at.
     */
    void touchToFind(long[] hashes, int count) {
        int seen = 0;
        for (int i = 0; i < count; i++) {
            short[] tag = tags[tableOf(hashes[i])];
            seen += tag[homeOf(hashes[i], tagOf(hashes[i]), tag.length)];
        }
        touched += seen;
    }

    /** As {@link #touchToFind}, of keys that will be {@link #put}. */
    void touchToAdd(long[] hashes, int from, int to) {
        int seen = 0;
        for (int i = from; i < to; i++) {
            int number = tableOf(hashes[i]);
            short[] tag = tags[number];
            int home = homeOf(hashes[i], tagOf(hashes[i]), tag.length);
            seen += tag[home] + places[number][home];
        }
        touched += seen;
    }

    /** @return the place number of the key, 0 for none; the window may have forgotten it */
    int find(HashedKey key) {
        long hashed = key.hashed();
        int number = tableOf(hashed);
        short[] tag = tags[number];
        short wanted = tagOf(hashed);
        int mask = tag.length - 1;
        for (int at = homeOf(hashed, wanted, tag.length); tag[at] != 0; at = at + 1 & mask) {
            if (tag[at] == wanted && window.isAt(places[number][at], key)) {
                return places[number][at];
            }
        }
        return 0;
    }

    /** @param place 1 or more, where the window has the key by now; another place of the same key is forgotten */
    void put(HashedKey key, int place) {
        long hashed = key.hashed();
        int number = tableOf(hashed);
        short[] tag = tags[number];
        short wanted = tagOf(hashed);
        int mask = tag.length - 1;
        int at = homeOf(hashed, wanted, tag.length);
        while (tag[at] != 0) {
            if (tag[at] == wanted && window.isAt(places[number][at], key)) {
                places[number][at] = place;
                return;
            }
            at = at + 1 & mask;
        }
        tag[at] = wanted;
        places[number][at] = place;
        used[number]++;
        if (!split && used[number] > SPLIT_AT) {
            split(SMALLEST);
        } else if (used[number] > tag.length / 4 * 3) {
            makeAnew(number);
        }
    }

    /** Leaves out of a table what the window has forgotten; it gets longer where that is not enough, and shorter again. */
    private void makeAnew(int number) {
        short[] tagsBefore = tags[number];
        int[] placesBefore = places[number];
        int length = placesBefore.length;
        int firstPlace = window.firstPlace();
        long size = window.size();
        int live = 0;
        for (int place : placesBefore) {
            live += place != 0 && DedupWindow.ahead(place, firstPlace) < size ? 1 : 0;
        }
        int next = isLong(live, length) ? 2 * length : length;
        while (next > SMALLEST && !isLong(live, next / 2)) {
            next /= 2;
        }
        boolean isSpare = sparePlaces.length == next;
        short[] tag = isSpare ? spareTags : new short[next];
        int[] placed = isSpare ? sparePlaces : new int[next];
        for (int at = 0; at < length; at++) {
            int place = placesBefore[at];
            if (place != 0 && DedupWindow.ahead(place, firstPlace) < size) {
                // The tag alone says where it belongs, but in a very long table.
                insert(tag, placed, next <= TAGS ? tagsBefore[at] & (TAGS - 1) : window.hashAt(place), place);
            }
        }
        tags[number] = tag;
        places[number] = placed;
        used[number] = live;
        spareTags = tagsBefore;
        sparePlaces = placesBefore;
        Arrays.fill(spareTags, (short) 0);
        Arrays.fill(sparePlaces, 0);
    }

    private static void insert(short[] tag, int[] placed, long hashed, int place) {
        int mask = tag.length - 1;
        short own = tagOf(hashed);
        int at = homeOf(hashed, own, tag.length);
        while (tag[at] != 0) {
            at = at + 1 & mask;
        }
        tag[at] = own;
        placed[at] = place;
    }

    private void split(int length) {
        int[] all = places[0];
        split = true;
        tags = new short[1 << SPLIT_BITS][length];
        places = new int[1 << SPLIT_BITS][length];
        used = new int[1 << SPLIT_BITS];
        for (int place : all) {
            if (place != 0 && window.isThere(place)) {
                long hashed = window.hashAt(place);
                int number = tableOf(hashed);
                insert(tags[number], places[number], hashed, place);
                if (++used[number] > tags[number].length / 4 * 3) {
                    makeAnew(number);
                }
            }
        }
    }
}
