package io.duramen.metadata.snapshot;

import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.disk.DiskFile;
import io.duramen.runtime.disk.IoCompletion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;

/** Files in memory, as far as whole small files go. Not thread-safe. */
final class MemoryDisk implements Disk {
    final Map<String, byte[]> files = new TreeMap<>();
    /** What the next replacement fails with. */
    Optional<IOException> failure = Optional.empty();

    private final Queue<Runnable> due = new ArrayDeque<>();

    @Override
    public List<String> list() {
        return List.copyOf(files.keySet());
    }

    @Override
    public DiskFile open(String name) throws IOException {
        if (!files.containsKey(name)) {
            throw new IOException("there is no " + name);
        }
        return new MemoryFile(name, files.get(name));
    }

    @Override
    public void replace(String name, ByteBuffer content, IoCompletion<Void> done) {
        due.add(() -> {
            if (failure.isPresent()) {
                done.failed(failure.get());
                return;
            }
            byte[] bytes = new byte[content.remaining()];
            content.get(bytes);
            files.put(name, bytes);
            done.succeeded(null);
        });
    }

    @Override
    public int poll() {
        int done = 0;
        for (Runnable next = due.poll(); next != null; next = due.poll()) {
            next.run();
            done++;
        }
        return done;
    }

    @Override
    public void allocate(String name, long length, IoCompletion<DiskFile> done) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void delete(String name, IoCompletion<Void> done) {
        due.add(() -> {
            files.remove(name);
            done.succeeded(null);
        });
    }

    @Override
    public void rename(String from, String to, IoCompletion<Void> done) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void reuse(String from, String to, ByteBuffer head, IoCompletion<DiskFile> done) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long usableBytes() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void onDue(Runnable wake) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        files.clear();
    }

    private record MemoryFile(String name, byte[] bytes) implements DiskFile {
        @Override
        public long length() {
            return bytes.length;
        }

        @Override
        public int read(long position, ByteBuffer into) {
            int length = (int) Math.max(0, Math.min(into.remaining(), bytes.length - position));
            into.put(bytes, (int) position, length);
            return length;
        }

        @Override
        public void read(long position, ByteBuffer into, IoCompletion<Integer> done) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(long position, ByteBuffer[] from, IoCompletion<Void> done) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void sync(IoCompletion<Void> done) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void truncate(long length) {
            throw new UncheckedIOException(new IOException("a small file is replaced, not cut"));
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}
