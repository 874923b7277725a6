package io.duramen.servers;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** One thread. What an application server logs from a moment on, across midnight, when WildFly begins a new file. */
final class ServerLog {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** As WildFly, and as Liberty names a line's logger. */
    private static final Pattern LOGGER =
            Pattern.compile("^\\S+ \\S+ \\S+ +\\[io\\.duramen\\.|^\\[.*?] \\p{XDigit}+ io\\.duramen\\.");

    private static final int TOLD_MAX = 400;

    private final Path file;
    private long from;

    ServerLog(Path file) {
        this.file = file;
    }

    /** What is logged already is not looked at any more. */
    void mark() throws IOException {
        from = all().length;
    }

    /** The file of today, behind those of the days before. */
    private byte[] all() throws IOException {
        List<Path> files;
        try (Stream<Path> there = Files.list(file.getParent())) {
            files = new ArrayList<>(
                    there.filter(path -> path.getFileName().toString().startsWith(file.getFileName() + "."))
                            .sorted()
                            .toList());
        }
        files.add(file);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Path one : files) {
            bytes.write(Files.readAllBytes(one));
        }
        return bytes.toByteArray();
    }

    /** Those with that text, in their order. */
    List<String> lines(String text) {
        try {
            byte[] all = all();
            String late = new String(all, (int) from, (int) (all.length - from), StandardCharsets.UTF_8);
            return Arrays.stream(late.split("\n"))
                    .filter(line -> line.contains(text))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the adapter logged, without the traces below. */
    List<String> adapterLines() {
        return lines("io.duramen.").stream()
                .filter(line -> LOGGER.matcher(line).find())
                .toList();
    }

    /** Returns when it is there. Where it does not come, what the server logged instead is told. */
    void await(String text) {
        try {
            Awaitility.await(text).atMost(PATIENCE).until(() -> !lines(text).isEmpty());
        } catch (ConditionTimeoutException e) {
            from = 0;
            List<String> all = lines("");
            throw new AssertionError(
                    "'" + text + "' was not logged, but:\n"
                            + String.join("\n", all.subList(Math.max(0, all.size() - TOLD_MAX), all.size())),
                    e);
        }
    }
}
