package io.duramen.simulation.disk;

import io.duramen.runtime.disk.NoSpaceException;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.Simulation;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What processes and machines leave behind: the files of one directory. A process mounts it as a {@link SimulatedDisk};
 * when the process is killed or the power cut, another may mount it again. Confined to the simulation.
 */
public final class SimulatedMedium {
    private final Simulation simulation;
    private final SeededRandom random;
    private final DiskFaults faults = new DiskFaults();
    private final TreeMap<String, StoredFile> files = new TreeMap<>();
    /** Names that a killed process touched without syncing the directory, and what stood there before; null for none. */
    private final TreeMap<String, StoredFile> namesUnsynced = new TreeMap<>();

    private SimulatedDisk mounted;

    public SimulatedMedium(Simulation simulation) {
        this.simulation = simulation;
        this.random = simulation.random().split();
    }

    public DiskFaults faults() {
        return faults;
    }

    /** Opens the directory for a new process, and syncs it, so that all names found are durable. */
    public SimulatedDisk mount() {
        if (mounted != null) {
            throw new IllegalStateException("still mounted");
        }
        namesUnsynced.clear();
        mounted = new SimulatedDisk(this, simulation);
        return mounted;
    }

    /** The process closed its disk: what it submitted has been carried out. */
    void unmounted() {
        mounted = null;
    }

    /** The process vanishes: what it has written stays, and of what is in flight a part that the seed decides. */
    public void killProcess() {
        if (mounted != null) {
            simulation.note("disk", "process killed", 0, 0);
            mounted.vanish(false);
            mounted = null;
        }
    }

    /** The machine loses power: of what was not synced any part survives, torn anywhere. */
    public void cutPower() {
        simulation.note("disk", "power cut", 0, 0);
        if (mounted != null) {
            mounted.vanish(true);
            mounted = null;
        }
        TreeMap<String, StoredFile> undoable = new TreeMap<>(namesUnsynced);
        namesUnsynced.clear();
        undoable.forEach((name, before) -> {
            if (random.oneIn(2)) {
                put(name, before);
            }
        });
        StoredFile.Loss loss = random.pick(List.of(StoredFile.Loss.values()));
        files.values().forEach(file -> file.cutPower(loss, random));
    }

    /** Names of all files, sorted. */
    public List<String> names() {
        return List.copyOf(files.keySet());
    }

    /** Bytes of a file as a reader sees them. */
    public long length(String name) {
        return files.get(name).visible().length();
    }

    /** The content of a file as a reader sees it. */
    public byte[] content(String name) {
        SparseBytes bytes = files.get(name).visible();
        byte[] content = new byte[Math.toIntExact(bytes.length())];
        bytes.read(0, java.nio.ByteBuffer.wrap(content));
        return content;
    }

    /** Inverts one bit of a file, durably, as a failing medium does. */
    public void flipBit(String name, long position, int bit) {
        simulation.note("disk", "bit flipped in " + name, position, bit);
        files.get(name).flipBit(position, bit);
    }

    /** The same files, faultless, for a world of their own. */
    public SimulatedMedium copyFor(Simulation other) {
        SimulatedMedium copy = new SimulatedMedium(other);
        files.forEach((name, file) -> copy.files.put(name, file.copy()));
        return copy;
    }

    /** Bytes of all files together. */
    public long usedBytes() {
        long used = 0;
        for (StoredFile file : files.values()) {
            used += file.visible().length();
        }
        return used;
    }

    /** @throws NoSpaceException where that many bytes more exceed the quota */
    void reserve(long bytes) throws NoSpaceException {
        if (bytes > 0 && usedBytes() + bytes > faults.quotaBytes()) {
            throw new NoSpaceException("simulated disk full", null);
        }
    }

    StoredFile file(String name) throws IOException {
        StoredFile file = files.get(name);
        if (file == null) {
            throw new NoSuchFileException(name);
        }
        return file;
    }

    Optional<StoredFile> find(String name) {
        return Optional.ofNullable(files.get(name));
    }

    /** Puts a file under a name, or takes the name away where {@code file} is null; durable. */
    void put(String name, StoredFile file) {
        namesUnsynced.remove(name);
        if (file == null) {
            files.remove(name);
        } else {
            files.put(name, file);
        }
    }

    /** As {@link #put}, but a power cut before the next mount may undo it. */
    void putUnsynced(String name, StoredFile file) {
        StoredFile before = files.get(name);
        put(name, file);
        namesUnsynced.put(name, before);
    }

    SeededRandom random() {
        return random;
    }
}
