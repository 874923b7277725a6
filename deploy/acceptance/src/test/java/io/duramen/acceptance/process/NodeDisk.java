package io.duramen.acceptance.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A small file system of its own for the data of one node, which a test can fill, and keep full. Whoever is not root needs to be allowed
 * to mount by sudo without a password. Used by one thread; {@link #close} takes it away, with what is in it.
 */
final class NodeDisk implements AutoCloseable {
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int BLOCK_BYTES = 4096;
    private static final long SECONDS_MAX = 30;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Path directory;
    private final Path filler;
    private volatile boolean full;
    private Thread filling;

    private NodeDisk(Path directory) {
        this.directory = directory;
        this.filler = directory.resolve("filler");
    }

    /** Whether this process may do that, tried with a directory that it makes in the one given. */
    static boolean isPossible(Path within) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(within.resolve("tried"));
        boolean possible = hasMounted(directory, 1);
        if (possible) {
            new NodeDisk(directory).close();
        }
        Files.delete(directory);
        return possible;
    }

    /** @param directory that is there, and in which the file system appears */
    static NodeDisk at(Path directory, int mebibytes) throws IOException, InterruptedException {
        if (!hasMounted(directory, mebibytes)) {
            throw new IOException("a file system of its own could not be mounted at " + directory);
        }
        return new NodeDisk(directory);
    }

    private static boolean hasMounted(Path directory, int mebibytes) throws IOException, InterruptedException {
        String options = "size=" + mebibytes + "m,mode=0777";
        return runs("mount", "-t", "tmpfs", "-o", options, "tmpfs", directory.toString());
    }

    /** As who runs this, or else as root. */
    private static boolean runs(String... command) throws IOException, InterruptedException {
        List<String> asRoot = new ArrayList<>(List.of("sudo", "-n"));
        asRoot.addAll(List.of(command));
        return hasRun(List.of(command)) || hasRun(asRoot);
    }

    private static boolean hasRun(List<String> command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(SECONDS_MAX, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false; // There is no such command.
        }
    }

    /** Returns once it is full, and keeps it so until {@link #free}. */
    void fill() throws IOException {
        full = true;
        FileChannel channel = FileChannel.open(
                filler, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        takeAll(channel, CHUNK_BYTES);
        filling = new Thread(() -> keepFull(channel), "filler");
        filling.setDaemon(true);
        filling.start();
    }

    /** Whatever the node gives back is gone at once. */
    private void keepFull(FileChannel channel) {
        try (channel) {
            while (full) {
                takeAll(channel, BLOCK_BYTES);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (IOException e) {
            // It cannot be closed: the file is deleted anyway.
        }
    }

    private static void takeAll(FileChannel channel, int chunkBytes) {
        for (int length = chunkBytes; length >= BLOCK_BYTES; length /= 2) {
            try {
                while (channel.write(ByteBuffer.allocate(length)) > 0) {
                    // Until nothing of that size fits.
                }
            } catch (IOException e) {
                // It is full, but for less than that.
            }
        }
    }

    /** There is room again; nothing happens where there was. */
    void free() throws IOException, InterruptedException {
        full = false;
        if (filling != null) {
            filling.join();
            filling = null;
        }
        Files.deleteIfExists(filler);
    }

    @Override
    public void close() {
        try {
            free();
            runs("umount", "-l", directory.toString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
