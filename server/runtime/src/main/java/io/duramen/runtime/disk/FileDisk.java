package io.duramen.runtime.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A directory of the real file system. Called by its agent alone; three threads of its own carry the work out: one writes
 * and syncs, in the order submitted over all files; one reads; one allocates, replaces, renames and deletes, so that none of these
 * ever delays a write or a read.
 */
public final class FileDisk implements Disk {
    private static final IoCompletion<Void> NOTHING = new IoCompletion<>() {
        @Override
        public void succeeded(Void result) {}

        @Override
        public void failed(IOException cause) {}
    };

    private final Path directory;
    private final DirectoryFiles files;
    private final Quota quota;
    private final Completions completions = new Completions();
    private final DiskThread writer;
    private final DiskThread reader;
    private final DiskThread background;
    private final Map<String, OpenFile> openFiles = new ConcurrentHashMap<>();
    private boolean closed;

    /** @throws IOException where the directory cannot be made or listed */
    public FileDisk(Path directory) throws IOException {
        this(directory, Long.MAX_VALUE);
    }

    /**
     * @param quotaBytes what all files of the directory may take together, those that are there already included
     * @throws IOException where the directory cannot be made or listed
     */
    public FileDisk(Path directory, long quotaBytes) throws IOException {
        this.directory = directory;
        Files.createDirectories(directory);
        files = new DirectoryFiles(directory);
        files.removeUnfinished();
        // A process that was killed may have left names that are not on disk.
        files.syncDirectory();
        quota = new Quota(quotaBytes, files.totalBytes());
        String name = String.valueOf(directory.getFileName());
        writer = new DiskThread("disk-write-" + name, completions);
        reader = new DiskThread("disk-read-" + name, completions);
        background = new DiskThread("disk-background-" + name, completions);
    }

    @Override
    public List<String> list() throws IOException {
        return files.list();
    }

    @Override
    public DiskFile open(String name) throws IOException {
        OpenFile file = openFiles.get(name);
        if (file == null) {
            FileChannel channel = FileChannel.open(files.path(name), StandardOpenOption.READ, StandardOpenOption.WRITE);
            file = new OpenFile(name, channel);
            openFiles.put(name, file);
        }
        return file;
    }

    @Override
    public void allocate(String name, long length, IoCompletion<DiskFile> done) {
        background.submit(new DiskTask<>(done) {
            @Override
            DiskFile carryOut() throws IOException {
                quota.take(length);
                try {
                    OpenFile file = new OpenFile(name, files.allocate(name, length));
                    openFiles.put(name, file);
                    return file;
                } catch (IOException e) {
                    quota.giveBack(length);
                    throw e;
                }
            }
        });
    }

    @Override
    public void replace(String name, ByteBuffer content, IoCompletion<Void> done) {
        ByteBuffer bytes = content.duplicate();
        replace(name, () -> bytes, done);
    }

    @Override
    public void replace(String name, Supplier<ByteBuffer> content, IoCompletion<Void> done) {
        background.submit(new DiskTask<>(done) {
            @Override
            Void carryOut() throws IOException {
                ByteBuffer bytes = content.get();
                long length = bytes.remaining();
                quota.take(length);
                try {
                    long before = sizeOf(name);
                    files.replace(name, bytes);
                    quota.giveBack(before);
                } catch (IOException e) {
                    quota.giveBack(length);
                    throw e;
                }
                return null;
            }
        });
    }

    @Override
    public void delete(String name, IoCompletion<Void> done) {
        background.submit(new DiskTask<>(done) {
            @Override
            Void carryOut() throws IOException {
                closeIfOpen(name);
                long length = sizeOf(name);
                files.delete(name);
                quota.giveBack(length);
                return null;
            }
        });
    }

    @Override
    public void rename(String from, String to, IoCompletion<Void> done) {
        background.submit(new DiskTask<>(done) {
            @Override
            Void carryOut() throws IOException {
                closeIfOpen(from);
                files.rename(from, to);
                return null;
            }
        });
    }

    @Override
    public void reuse(String from, String to, ByteBuffer head, IoCompletion<DiskFile> done) {
        ByteBuffer bytes = head.duplicate();
        background.submit(new DiskTask<>(done) {
            @Override
            DiskFile carryOut() throws IOException {
                closeIfOpen(from);
                OpenFile file = new OpenFile(to, files.reuse(from, to, bytes));
                openFiles.put(to, file);
                return file;
            }
        });
    }

    private void closeIfOpen(String name) throws IOException {
        OpenFile file = openFiles.remove(name);
        if (file != null) {
            file.closeChannel();
        }
    }

    private long sizeOf(String name) throws IOException {
        Path path = files.path(name);
        return Files.exists(path) ? Files.size(path) : 0;
    }

    @Override
    public long usableBytes() throws IOException {
        return Math.min(Files.getFileStore(directory).getUsableSpace(), quota.left());
    }

    /**
     * Lets the agent carry short writes and syncs out itself when it would only wait for them and the disk is fast,
     * which saves two wake-ups: the next {@link #poll} finds it completed, and nobody is woken. Before the agent starts.
     *
     * @param agentIsIdle asked on the agent's thread: whether nothing else waits for it
     * @param shortSync the disk is fast while a sync of little takes no longer, on average of the last few
     */
    public void lendAgent(BooleanSupplier agentIsIdle, Duration shortSync) {
        writer.lendItself(agentIsIdle, shortSync.toNanos());
    }

    /** Has the syncs of all files be counted there, but for those of files that are made or replaced. Before the first. */
    public void countSyncs(SyncTimes times) {
        writer.countSyncs(times);
    }

    @Override
    public int poll() {
        return completions.poll();
    }

    @Override
    public void onDue(Runnable wake) {
        completions.onDue(wake);
    }

    @Override
    public void awaitDue() {
        if (closed) {
            return;
        }
        CountDownLatch passed = new CountDownLatch(3);
        for (DiskThread thread : List.of(writer, reader, background)) {
            thread.submit(new DiskTask<>(NOTHING) {
                @Override
                Void carryOut() {
                    passed.countDown();
                    return null;
                }
            });
        }
        try {
            passed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        writer.finish();
        reader.finish();
        background.finish();
        for (OpenFile file : new HashMap<>(openFiles).values()) {
            file.close();
        }
    }

    /** A file of this disk; the same confinement. */
    private final class OpenFile implements DiskFile {
        private final String name;
        private final FileChannel channel;

        OpenFile(String name, FileChannel channel) {
            this.name = name;
            this.channel = channel;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public long length() throws IOException {
            return channel.size();
        }

        @Override
        public int read(long position, ByteBuffer into) throws IOException {
            return ChannelBytes.read(channel, position, into);
        }

        @Override
        public void read(long position, ByteBuffer into, IoCompletion<Integer> done) {
            reader.submit(new DiskTask<>(done) {
                @Override
                Integer carryOut() throws IOException {
                    return ChannelBytes.read(channel, position, into);
                }
            });
        }

        @Override
        public void write(long position, ByteBuffer[] from, IoCompletion<Void> done) {
            writer.submit(new WriteTask(channel, position, from, done));
        }

        @Override
        public void sync(IoCompletion<Void> done) {
            writer.submit(new SyncTask(channel, done));
        }

        @Override
        public void truncate(long length) throws IOException {
            long before = channel.size();
            if (length <= before) {
                channel.truncate(length);
                quota.giveBack(before - length);
            } else {
                extend(before, length);
            }
            channel.force(true);
        }

        private void extend(long from, long to) throws IOException {
            quota.take(to - from);
            try {
                DirectoryFiles.zeroFill(channel, from, to);
            } catch (IOException e) {
                channel.truncate(from);
                quota.giveBack(to - from);
                throw NoSpace.recognise(e);
            }
        }

        @Override
        public void close() {
            openFiles.remove(name, this);
            try {
                closeChannel();
            } catch (IOException e) {
                throw new UncheckedIOException("closing " + name, e);
            }
        }

        void closeChannel() throws IOException {
            channel.close();
        }
    }
}
