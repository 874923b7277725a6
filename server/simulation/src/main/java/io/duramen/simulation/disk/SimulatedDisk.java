package io.duramen.simulation.disk;

import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.disk.DiskFile;
import io.duramen.runtime.disk.IoCompletion;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.Simulation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A medium as one process has it open. Confined to the simulation. Operations of one file are carried out one after the
 * other, each after a delay from the seed; those of different files overtake one another.
 */
public final class SimulatedDisk implements Disk {
    private static final int QUICK_NANOS_MAX = 40_000;
    private static final int SYNC_NANOS_MAX = 400_000;
    private static final int STALL_NANOS_MAX = 15_000_000;
    private static final int STALL_ONE_IN = 100;

    private final SimulatedMedium medium;
    private final Simulation simulation;
    private final SeededRandom random;
    private final TreeMap<String, ArrayDeque<Operation<?>>> inFlight = new TreeMap<>();
    private final ArrayDeque<Runnable> due = new ArrayDeque<>();
    private Runnable wake = () -> {};
    private boolean gone;

    SimulatedDisk(SimulatedMedium medium, Simulation simulation) {
        this.medium = medium;
        this.simulation = simulation;
        this.random = medium.random().split();
    }

    @Override
    public List<String> list() throws IOException {
        blockingCall();
        return medium.names();
    }

    @Override
    public DiskFile open(String name) throws IOException {
        blockingCall();
        medium.file(name);
        return new SimulatedFile(this, name);
    }

    @Override
    public void allocate(String name, long length, IoCompletion<DiskFile> done) {
        submit(name, new Allocate(name, length, done));
    }

    @Override
    public void replace(String name, ByteBuffer content, IoCompletion<Void> done) {
        submit(name, new Replace(name, bytesOf(content), done));
    }

    @Override
    public void delete(String name, IoCompletion<Void> done) {
        submit(name, new Delete(name, done));
    }

    @Override
    public void rename(String from, String to, IoCompletion<Void> done) {
        submit(from, new Rename<>("rename", from, to, done, () -> null));
    }

    @Override
    public void reuse(String from, String to, ByteBuffer head, IoCompletion<DiskFile> done) {
        submit(from, new Reuse(from, to, bytesOf(head), done));
    }

    @Override
    public long usableBytes() {
        return Math.max(0, medium.faults().quotaBytes() - medium.usedBytes());
    }

    @Override
    public int poll() {
        int ran = 0;
        for (int waiting = due.size(); waiting > 0 && !gone; waiting--) {
            due.poll().run();
            ran++;
        }
        return ran;
    }

    @Override
    public void onDue(Runnable wakeAgent) {
        wake = wakeAgent;
    }

    @Override
    public void awaitDue() {
        inFlight.values().forEach(queue -> {
            queue.forEach(operation -> due.add(carryOutNow(operation)));
            queue.clear();
        });
    }

    @Override
    public void close() {
        if (!gone) {
            inFlight.values().forEach(queue -> queue.forEach(this::carryOutNow));
            gone = true;
            medium.unmounted();
        }
    }

    /** Whether nothing is in flight. */
    public boolean isIdle() {
        return due.isEmpty() && inFlight.values().stream().allMatch(ArrayDeque::isEmpty);
    }

    /** The process that had this open is no more; nothing completes from here on. */
    void vanish(boolean powerCut) {
        gone = true;
        inFlight.values().forEach(queue -> {
            int whole = powerCut ? queue.size() : random.below(queue.size() + 1);
            for (Operation<?> operation : queue) {
                if (powerCut) {
                    operation.powerCut();
                } else if (whole-- > 0) {
                    operation.leaveDone();
                } else {
                    operation.leaveHalfDone();
                    break;
                }
            }
        });
    }

    SimulatedMedium medium() {
        return medium;
    }

    /** Every blocking call comes by here. */
    void blockingCall() {
        if (gone) {
            throw new IllegalStateException("the disk was used after it was closed");
        }
        if (medium.faults().callMeetsPowerCut()) {
            medium.cutPower();
            throw new PowerCut();
        }
    }

    void submit(String name, Operation<?> operation) {
        if (gone) {
            throw new IllegalStateException("the disk was used after it was closed");
        }
        ArrayDeque<Operation<?>> queue = inFlight.computeIfAbsent(name, n -> new ArrayDeque<>());
        if (queue.size() == 1 && queue.peek().isSync() && operation.isWrite() && random.oneIn(2)) {
            due.add(carryOut(operation)); // while the file is synced
            wake.run();
            return;
        }
        queue.add(operation);
        if (queue.size() == 1) {
            scheduleFirst(queue);
        }
    }

    private void scheduleFirst(ArrayDeque<Operation<?>> queue) {
        long nanos = 1 + random.below(queue.peek().isSync() ? SYNC_NANOS_MAX : QUICK_NANOS_MAX);
        if (random.oneIn(STALL_ONE_IN)) {
            nanos += random.below(STALL_NANOS_MAX);
        }
        Operation<?> first = queue.peek();
        first.begin();
        simulation.after(nanos * medium.faults().slowness(), () -> finish(first, queue));
    }

    private void finish(Operation<?> first, ArrayDeque<Operation<?>> queue) {
        if (gone || queue.peek() != first) {
            return;
        }
        due.add(carryOut(first));
        queue.poll();
        if (!queue.isEmpty()) {
            scheduleFirst(queue);
        }
        wake.run();
    }

    private Runnable carryOutNow(Operation<?> operation) {
        operation.begin();
        return carryOut(operation);
    }

    /** Lets the operation take effect, and gives the call of its completion. */
    private <T> Runnable carryOut(Operation<T> operation) {
        simulation.note("disk", operation, operation.position(), operation.checksum());
        try {
            if (medium.faults().operationFails()) {
                operation.fail();
                throw new IOException("simulated failure of: " + operation);
            }
            T result = operation.run();
            return () -> operation.done.succeeded(result);
        } catch (IOException e) {
            simulation.note("disk", "failed: " + operation, operation.position(), 0);
            return () -> operation.done.failed(e);
        }
    }

    static byte[] bytesOf(ByteBuffer... buffers) {
        int length = 0;
        for (ByteBuffer buffer : buffers) {
            length += buffer.remaining();
        }
        byte[] bytes = new byte[length];
        int at = 0;
        for (ByteBuffer buffer : buffers) {
            int count = buffer.remaining();
            buffer.duplicate().get(bytes, at, count);
            at += count;
        }
        return bytes;
    }

    private final class Allocate extends Operation<DiskFile> {
        private final long length;

        Allocate(String name, long length, IoCompletion<DiskFile> done) {
            super("allocate", name, done);
            this.length = length;
        }

        @Override
        DiskFile run() throws IOException {
            medium.reserve(length);
            medium.put(name, StoredFile.allocated(length));
            return new SimulatedFile(SimulatedDisk.this, name);
        }

        @Override
        void fail() {
            leaveHalfDone();
        }

        @Override
        void leaveDone() {
            medium.putUnsynced(name, StoredFile.allocated(length));
        }

        @Override
        void leaveHalfDone() {
            if (random.oneIn(2)) {
                medium.putUnsynced(name, StoredFile.allocated(random.below(length + 1)));
            }
        }

        @Override
        void powerCut() {
            leaveHalfDone();
        }
    }

    private final class Replace extends Operation<Void> {
        private final byte[] content;

        Replace(String name, byte[] content, IoCompletion<Void> done) {
            super("replace", name, done);
            this.content = content;
        }

        @Override
        Void run() throws IOException {
            medium.reserve(content.length);
            medium.put(name, StoredFile.of(content));
            return null;
        }

        @Override
        void fail() {
            powerCut();
        }

        @Override
        void leaveDone() {
            medium.putUnsynced(name, StoredFile.of(content));
        }

        @Override
        void leaveHalfDone() {}

        @Override
        void powerCut() {
            if (random.oneIn(2)) {
                medium.put(name, StoredFile.of(content));
            }
        }

        @Override
        long checksum() {
            return Operation.crc(content);
        }
    }

    private final class Delete extends Operation<Void> {
        Delete(String name, IoCompletion<Void> done) {
            super("delete", name, done);
        }

        @Override
        Void run() {
            medium.put(name, null);
            return null;
        }

        @Override
        void fail() {
            powerCut();
        }

        @Override
        void leaveDone() {
            medium.putUnsynced(name, null);
        }

        @Override
        void leaveHalfDone() {}

        @Override
        void powerCut() {
            if (random.oneIn(2)) {
                medium.put(name, null);
            }
        }
    }

    /** A journal makes both halves of it durable, or neither. */
    private class Rename<T> extends Operation<T> {
        final String to;
        private final Supplier<T> result;

        Rename(String what, String from, String to, IoCompletion<T> done, Supplier<T> result) {
            super(what, from, done);
            this.to = to;
            this.result = result;
        }

        @Override
        T run() throws IOException {
            if (medium.find(to).isPresent()) {
                throw new FileAlreadyExistsException(to);
            }
            medium.put(to, medium.file(name));
            medium.put(name, null);
            return result.get();
        }

        private void move() {
            medium.find(name).ifPresent(file -> {
                medium.put(to, file);
                medium.put(name, null);
            });
        }

        @Override
        void fail() {
            powerCut();
        }

        @Override
        void leaveDone() {
            move();
        }

        @Override
        void leaveHalfDone() {}

        @Override
        void powerCut() {
            if (random.oneIn(2)) {
                move();
            }
        }
    }

    private final class Reuse extends Rename<DiskFile> {
        private final byte[] head;

        Reuse(String from, String to, byte[] head, IoCompletion<DiskFile> done) {
            super("reuse", from, to, done, () -> new SimulatedFile(SimulatedDisk.this, to));
            this.head = head;
        }

        @Override
        DiskFile run() throws IOException {
            writeHead(head.length);
            medium.file(name).sync();
            return super.run();
        }

        private void writeHead(int count) {
            medium.find(name).ifPresent(file -> file.write(0, head, count));
        }

        @Override
        void leaveDone() {
            writeHead(head.length);
            medium.find(name).ifPresent(StoredFile::sync);
            super.leaveDone();
        }

        @Override
        void leaveHalfDone() {
            writeHead(random.below(head.length + 1));
        }

        @Override
        void powerCut() {
            if (random.oneIn(2)) {
                leaveHalfDone();
            } else if (random.oneIn(2)) {
                writeHead(head.length);
            } else {
                leaveDone();
            }
        }

        @Override
        long checksum() {
            return Operation.crc(head);
        }
    }
}
