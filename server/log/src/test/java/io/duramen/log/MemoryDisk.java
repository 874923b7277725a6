package io.duramen.log;

import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.disk.DiskFile;
import io.duramen.runtime.disk.IoCompletion;
import io.duramen.runtime.disk.NoSpaceException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Files in memory, for tests: operations take effect when they are submitted and complete at the next poll. Those that
 * {@link #failing} chooses fail without effect. Not thread-safe.
 */
final class MemoryDisk implements Disk {
    final TreeMap<String, byte[]> files = new TreeMap<>();

    /** Every operation submitted, such as {@code write 0000000000000001.log}. */
    final List<String> operations = new ArrayList<>();

    /** Bytes of the largest read. */
    int largestRead;

    private final ArrayDeque<Runnable> due = new ArrayDeque<>();
    private final ArrayDeque<Runnable> held = new ArrayDeque<>();
    private Predicate<String> failing = operation -> false;
    private Predicate<String> holding = operation -> false;
    private long quotaBytes = Long.MAX_VALUE;

    /** Those operations fail from now on. */
    void failing(Predicate<String> operation) {
        failing = operation;
    }

    /** Those operations complete only once {@link #letGo} is called; others do meanwhile. */
    void holding(Predicate<String> operation) {
        holding = operation;
    }

    void letGo() {
        due.addAll(held);
        held.clear();
    }

    void quota(long bytes) {
        quotaBytes = bytes;
    }

    /** The same files as another process would find them. */
    MemoryDisk copy() {
        MemoryDisk copy = new MemoryDisk();
        files.forEach((name, content) -> copy.files.put(name, content.clone()));
        return copy;
    }

    @Override
    public List<String> list() {
        return new ArrayList<>(files.keySet());
    }

    @Override
    public DiskFile open(String name) throws IOException {
        if (!files.containsKey(name)) {
            throw new IOException(name + " is not there");
        }
        return new MemoryFile(name);
    }

    @Override
    public void allocate(String name, long length, IoCompletion<DiskFile> done) {
        carryOut("allocate " + name, done, () -> {
            if (length > usableBytes()) {
                throw new NoSpaceException("No space left in memory", null);
            }
            files.put(name, new byte[(int) length]);
            return new MemoryFile(name);
        });
    }

    @Override
    public void replace(String name, ByteBuffer content, IoCompletion<Void> done) {
        carryOut("replace " + name, done, () -> {
            byte[] bytes = new byte[content.remaining()];
            content.get(bytes);
            files.put(name, bytes);
            return null;
        });
    }

    @Override
    public void delete(String name, IoCompletion<Void> done) {
        carryOut("delete " + name, done, () -> {
            files.remove(name);
            return null;
        });
    }

    @Override
    public void rename(String from, String to, IoCompletion<Void> done) {
        carryOut("rename " + from, done, () -> {
            move(from, to);
            return null;
        });
    }

    @Override
    public void reuse(String from, String to, ByteBuffer head, IoCompletion<DiskFile> done) {
        carryOut("reuse " + from, done, () -> {
            head.duplicate().get(files.get(from), 0, head.remaining());
            move(from, to);
            return new MemoryFile(to);
        });
    }

    private void move(String from, String to) throws IOException {
        if (files.containsKey(to) || !files.containsKey(from)) {
            throw new IOException("cannot rename " + from + " to " + to);
        }
        files.put(to, files.remove(from));
    }

    @Override
    public long usableBytes() {
        return quotaBytes
                - files.values().stream().mapToLong(content -> content.length).sum();
    }

    @Override
    public int poll() {
        int completions = due.size();
        for (int i = 0; i < completions; i++) {
            due.poll().run();
        }
        return completions;
    }

    @Override
    public void onDue(Runnable wake) {}

    @Override
    public void close() {}

    private interface Action<T> {
        T run() throws IOException;
    }

    private <T> void carryOut(String operation, IoCompletion<T> done, Action<T> action) {
        operations.add(operation);
        try {
            if (failing.test(operation)) {
                throw new IOException("injected: " + operation);
            }
            T result = action.run();
            (holding.test(operation) ? held : due).add(() -> done.succeeded(result));
        } catch (IOException e) {
            due.add(() -> done.failed(e));
        }
    }

    private final class MemoryFile implements DiskFile {
        private final String name;

        MemoryFile(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public long length() {
            return files.get(name).length;
        }

        @Override
        public int read(long position, ByteBuffer into) {
            byte[] content = files.get(name);
            largestRead = Math.max(largestRead, into.remaining());
            int length = (int) Math.max(0, Math.min(into.remaining(), content.length - position));
            into.put(content, (int) Math.min(position, content.length), length);
            return length;
        }

        @Override
        public void read(long position, ByteBuffer into, IoCompletion<Integer> done) {
            carryOut("read " + name, done, () -> read(position, into));
        }

        @Override
        public void write(long position, ByteBuffer[] from, IoCompletion<Void> done) {
            carryOut("write " + name, done, () -> {
                int at = (int) position;
                for (ByteBuffer buffer : from) {
                    int length = buffer.remaining();
                    buffer.get(files.get(name), at, length);
                    at += length;
                }
                return null;
            });
        }

        @Override
        public void sync(IoCompletion<Void> done) {
            carryOut("sync " + name, done, () -> null);
        }

        @Override
        public void truncate(long length) {
            files.put(name, Arrays.copyOf(files.get(name), (int) length));
        }

        @Override
        public void close() {}
    }
}
