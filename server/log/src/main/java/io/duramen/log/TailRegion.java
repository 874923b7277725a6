package io.duramen.log;

import io.duramen.protocol.SpareBuffers;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A stretch of memory with entries one behind the other. Confined to the agent. */
final class TailRegion {
    private final long number;
    private final long firstIndex;
    private final ByteBuffer memory;
    private final ByteBuffer adopted;
    private int[] starts = new int[16];
    private int[] partitions = new int[4];
    private int partitionCount;
    private int size;
    private int end;

    /** @param adopted what the memory is a part of, where that was given by others; else null */
    TailRegion(long number, long firstIndex, ByteBuffer memory, ByteBuffer adopted) {
        this.number = number;
        this.firstIndex = firstIndex;
        this.memory = memory;
        this.adopted = adopted;
    }

    boolean isAdopted() {
        return adopted != null;
    }

    /** Lets others have the memory that was adopted; the region is not used any more. */
    void giveBack() {
        SpareBuffers.SHARED.giveHeld(adopted);
    }

    /** Bytes of memory that it keeps from others. */
    int heldBytes() {
        return (adopted == null ? memory : adopted).capacity();
    }

    long number() {
        return number;
    }

    long firstIndex() {
        return firstIndex;
    }

    long lastIndex() {
        return firstIndex + size - 1;
    }

    ByteBuffer memory() {
        return memory;
    }

    int free() {
        return memory.capacity() - end;
    }

    /** Entries in it. */
    int size() {
        return size;
    }

    int start(int entry) {
        return starts[entry];
    }

    int startOf(long index) {
        return starts[(int) (index - firstIndex)];
    }

    int endOf(long index) {
        return index == lastIndex() ? end : startOf(index + 1);
    }

    /** @return where it stands */
    int add(ByteBuffer head, ByteBuffer tail) {
        if (size == starts.length) {
            starts = Arrays.copyOf(starts, size * 2);
        }
        int at = end;
        starts[size++] = at;
        memory.put(at, head, 0, head.limit());
        end += head.limit();
        memory.put(end, tail, tail.position(), tail.remaining());
        end += tail.remaining();
        return at;
    }

    /** All of the memory is one entry already. */
    void addWhole() {
        starts[size++] = 0;
        end = memory.capacity();
    }

    /** A record of the partition stands here; a partition may be noted more than once. */
    void note(int partition) {
        if (partitionCount > 0 && partitions[partitionCount - 1] == partition) {
            return;
        }
        if (partitionCount == partitions.length) {
            partitions = Arrays.copyOf(partitions, partitionCount * 2);
        }
        partitions[partitionCount++] = partition;
    }

    /** How many were noted. */
    int partitionCount() {
        return partitionCount;
    }

    int partition(int i) {
        return partitions[i];
    }

    long place(int position) {
        return number << 32 | position;
    }

    static long number(long place) {
        return place >>> 32;
    }

    static int position(long place) {
        return (int) place;
    }
}
