package io.duramen.node.directory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Tells which process runs a node: {@code PID START}, where START is when the process began, in milliseconds since 1970.
 * A process that has the number by now but began at another time is somebody else, and is never signalled.
 */
public final class PidFile {
    private static final String NAME = "node.pid";

    private PidFile() {}

    /** What came of asking a node to stop. */
    public enum Outcome {
        STOPPED,
        NOT_RUNNING,
        STILL_RUNNING
    }

    public static void write(DataDirectory directory) throws IOException {
        ProcessHandle self = ProcessHandle.current();
        Files.writeString(directory.path().resolve(NAME), self.pid() + " " + startMillis(self) + "\n");
    }

    public static void remove(DataDirectory directory) throws IOException {
        Files.deleteIfExists(directory.path().resolve(NAME));
    }

    /**
     * Asks the node that runs on the directory to end (SIGTERM) and waits for it.
     *
     * @throws IOException where a node runs there whose process cannot be told or signalled
     */
    public static Outcome stop(Path directory, Duration timeout) throws IOException, InterruptedException {
        if (!DataDirectory.isInUse(directory)) {
            return Outcome.NOT_RUNNING;
        }
        ProcessHandle node = find(directory)
                .orElseThrow(() -> new IOException("a node runs on " + directory + ", but " + directory.resolve(NAME)
                        + " does not name its process"));
        CompletableFuture<ProcessHandle> exit = node.onExit();
        if (!node.destroy()) {
            throw new IOException("process " + node.pid() + " of the node on " + directory + " cannot be signalled");
        }
        try {
            exit.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return Outcome.STOPPED;
        } catch (TimeoutException e) {
            return Outcome.STILL_RUNNING;
        } catch (ExecutionException e) {
            throw new IOException("the end of process " + node.pid() + " cannot be awaited", e);
        }
    }

    private static Optional<ProcessHandle> find(Path directory) throws IOException {
        String text;
        try {
            text = Files.readString(directory.resolve(NAME)).strip();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        String[] parts = text.split(" ");
        try {
            long startMillis = Long.parseLong(parts[parts.length - 1]);
            return ProcessHandle.of(Long.parseLong(parts[0]))
                    .filter(process -> startMillis(process) == startMillis)
                    .filter(process -> process.pid() != ProcessHandle.current().pid());
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static long startMillis(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(-1L);
    }
}
