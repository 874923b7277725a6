package io.duramen.broker.selector;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A set of texts, found by their UTF-8 where it stands. Unchangeable: any thread. */
final class TextSet {
    /** Up to so many, looking at each is quicker than a hash. */
    private static final int FEW = 8;

    private final byte[][] texts;
    private final int[] table;
    private final int mask;

    /** Equal texts count once, at the place of the first. */
    TextSet(List<String> distinct) {
        texts = new byte[distinct.size()][];
        int size = Integer.highestOneBit(Math.max(1, texts.length)) * 4;
        table = new int[size];
        mask = size - 1;
        Arrays.fill(table, -1);
        for (int i = 0; i < texts.length; i++) {
            texts[i] = distinct.get(i).getBytes(StandardCharsets.UTF_8);
            int slot = hash(ByteBuffer.wrap(texts[i]), 0, texts[i].length) & mask;
            while (table[slot] >= 0) {
                slot = slot + 1 & mask;
            }
            table[slot] = i;
        }
    }

    boolean contains(Value text) {
        return indexOf(text.text(), text.textAt(), text.textLength()) >= 0;
    }

    /** Place of the text in the list of which the set was made; -1 where it is not in it. */
    int indexOf(ByteBuffer bytes, int at, int length) {
        if (texts.length <= FEW) {
            for (int i = 0; i < texts.length; i++) {
                if (isAt(i, bytes, at, length)) {
                    return i;
                }
            }
            return -1;
        }
        int slot = hash(bytes, at, length) & mask;
        while (table[slot] >= 0) {
            if (isAt(table[slot], bytes, at, length)) {
                return table[slot];
            }
            slot = slot + 1 & mask;
        }
        return -1;
    }

    int size() {
        return texts.length;
    }

    private boolean isAt(int index, ByteBuffer bytes, int at, int length) {
        byte[] text = texts[index];
        if (text.length != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text[i] != bytes.get(at + i)) {
                return false;
            }
        }
        return true;
    }

    private static int hash(ByteBuffer bytes, int at, int length) {
        int hash = 0;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + bytes.get(at + i);
        }
        return hash ^ hash >>> 15;
    }
}
