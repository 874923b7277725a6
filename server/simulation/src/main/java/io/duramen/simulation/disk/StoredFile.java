package io.duramen.simulation.disk;

import io.duramen.simulation.SeededRandom;
import java.util.ArrayList;
import java.util.List;

/** A file on the medium: what survives a power cut, what readers see, and the writes that make the difference. */
final class StoredFile {
    private static final int SECTOR_LENGTH = 512;

    /** How a cut treats the unsynced writes; decided once a cut, since a mix of all at once seldom loses just one. */
    enum Loss {
        ALL,
        NONE,
        ANY
    }

    private record Write(long position, byte[] bytes) {}

    private final List<Write> unsynced = new ArrayList<>();
    private SparseBytes durable = new SparseBytes();
    private SparseBytes visible = new SparseBytes();
    /** Whether a failed sync let the visible content and the durable one part for good. */
    private boolean parted;

    static StoredFile allocated(long length) {
        StoredFile file = new StoredFile();
        file.truncate(length);
        return file;
    }

    static StoredFile of(byte[] content) {
        StoredFile file = new StoredFile();
        file.visible.write(0, content, 0, content.length);
        file.durable.write(0, content, 0, content.length);
        return file;
    }

    SparseBytes visible() {
        return visible;
    }

    void write(long position, byte[] bytes, int count) {
        byte[] kept = count == bytes.length ? bytes : java.util.Arrays.copyOf(bytes, count);
        visible.write(position, kept, 0, count);
        unsynced.add(new Write(position, kept));
    }

    void sync() {
        sync(unsynced.size());
    }

    /** Makes the oldest so many of its {@link #unsynced} writes durable: those that there were when the sync began. */
    void sync(int count) {
        List<Write> covered = unsynced.subList(0, Math.min(count, unsynced.size()));
        for (Write write : covered) {
            durable.write(write.position, write.bytes, 0, write.bytes.length);
        }
        covered.clear();
    }

    int unsynced() {
        return unsynced.size();
    }

    /** A sync that fails: the pages are marked clean though they are not, so that no later sync writes them. */
    void failSync(SeededRandom random) {
        loseUnsynced(Loss.ANY, random);
        parted = true;
    }

    /** Sets the length and makes all durable. */
    void truncate(long length) {
        sync();
        visible.setLength(length);
        durable.setLength(length);
    }

    void flipBit(long position, int bit) {
        visible.flipBit(position, bit);
        durable.flipBit(position, bit);
    }

    void cutPower(Loss loss, SeededRandom random) {
        if (!unsynced.isEmpty() || parted) {
            loseUnsynced(loss, random);
            visible = durable.copy();
            parted = false;
        }
    }

    private void loseUnsynced(Loss loss, SeededRandom random) {
        if (loss != Loss.ALL) {
            for (Write write : unsynced) {
                if (loss == Loss.NONE || random.oneIn(3)) {
                    durable.write(write.position, write.bytes, 0, write.bytes.length);
                } else {
                    tear(write, random);
                }
            }
        }
        unsynced.clear();
    }

    /** Lets nothing, a piece from any byte to any other, or any of its sectors reach the medium. */
    private void tear(Write write, SeededRandom random) {
        int length = write.bytes.length;
        if (length == 0) {
            return;
        }
        switch (random.below(4)) {
            case 0 -> durable.write(write.position, write.bytes, 0, random.below(length));
            case 1 -> {
                int from = random.below(length);
                durable.write(write.position + from, write.bytes, from, random.below(length - from + 1));
            }
            case 2 -> keepAnySectors(write, random);
            default -> {}
        }
    }

    private void keepAnySectors(Write write, SeededRandom random) {
        int from = 0;
        while (from < write.bytes.length) {
            int toSectorEnd = SECTOR_LENGTH - (int) ((write.position + from) % SECTOR_LENGTH);
            int count = Math.min(toSectorEnd, write.bytes.length - from);
            if (random.oneIn(2)) {
                durable.write(write.position + from, write.bytes, from, count);
            }
            from += count;
        }
    }

    StoredFile copy() {
        StoredFile copy = new StoredFile();
        copy.durable = durable.copy();
        copy.visible = visible.copy();
        copy.unsynced.addAll(unsynced);
        copy.parted = parted;
        return copy;
    }
}
