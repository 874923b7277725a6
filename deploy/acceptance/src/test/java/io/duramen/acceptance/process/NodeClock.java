package io.duramen.acceptance.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The time of day as one process sees it, which a test puts ahead or back while that runs: libfaketime answers what it asks of the system.
 * Time that passes goes on as it does. Used by one thread.
 */
final class NodeClock {
    private static final List<Path> LIBRARIES = List.of(
            Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib64/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/faketime/libfaketimeMT.so.1"));

    /** By what the file says is done a second after it was written, at the latest. */
    private static final String SECONDS_UNTIL_READ_AGAIN = "1";

    private final Path library;
    private final Path file;

    private NodeClock(Path library, Path file) {
        this.library = library;
        this.file = file;
    }

    /** Whether this machine has what it takes. */
    static boolean isPossible() {
        return library().isPresent();
    }

    private static Optional<Path> library() {
        return LIBRARIES.stream().filter(Files::isRegularFile).findFirst();
    }

    /** One that is right. @param file where it is told how far it is ahead */
    static NodeClock in(Path file) throws IOException {
        NodeClock clock = new NodeClock(library().orElseThrow(), file);
        clock.put(Duration.ZERO);
        return clock;
    }

    /** Ahead of the right time by so much, or behind it where that is negative; in a second at the latest. */
    void put(Duration ahead) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
        Files.writeString(unfinished, String.format("%+d%n", ahead.toSeconds()));
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** What the process needs in its environment; with the fix for other systems, threads of a JVM would not wait but spin. */
    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD",
                library.toString(),
                "FAKETIME_TIMESTAMP_FILE",
                file.toString(),
                "FAKETIME_CACHE_DURATION",
                SECONDS_UNTIL_READ_AGAIN,
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                "DONT_FAKE_MONOTONIC",
                "1",
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0",
                "NO_FAKE_STAT",
                "1");
    }
}
