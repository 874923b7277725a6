package io.duramen.acceptance.manager;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The {@link Application} in a JVM of its own, started and killed as often as one likes. Used by one thread. The process is
 * found and ended by its own handle only.
 */
final class ApplicationProcess implements AutoCloseable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);
    private static final int ERRORS_MAX = 20_000;

    private final Path directory;
    private final String url;
    private final List<String> lines = new ArrayList<>();
    private Process process;
    private Thread reader;
    private int starts;
    private long moves;

    ApplicationProcess(Path directory, String url) {
        this.directory = directory;
        this.url = url;
    }

    /** Starts it, and goes on: it is ready when the node is there. */
    void launch(long seed) throws IOException {
        starts++;
        synchronized (lines) {
            lines.clear();
        }
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-Dorg.jboss.logging.provider=jdk",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Application.class.getName(),
                        url,
                        directory.toString(),
                        Long.toString(seed))
                .redirectError(errors().toFile())
                .start();
        Process started = process;
        Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
        reader = new Thread(() -> read(started), "application-output-" + started.pid());
        reader.setDaemon(true);
        reader.start();
    }

    private Path errors() {
        return directory.resolve("application-" + starts + ".err");
    }

    private void read(Process from) {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(from.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                synchronized (lines) {
                    if (line.equals("#moved")) {
                        moves++;
                    } else {
                        lines.add(line);
                    }
                    lines.notifyAll();
                }
            }
        } catch (IOException e) {
            // It was killed.
        }
        synchronized (lines) {
            lines.notifyAll();
        }
    }

    void awaitReady() throws InterruptedException {
        await("ready", () -> has("#ready"));
    }

    /** Transactions that have committed, in all its lives, as far as it could still say so. */
    long moves() {
        synchronized (lines) {
            return moves;
        }
    }

    void awaitMoves(long count) throws InterruptedException {
        await(count + " moves", () -> moves >= count);
    }

    /** Returns when a thread of it has come to that step, where it stays. */
    void haltAt(Step step) throws IOException, InterruptedException {
        command("halt " + step);
        await("halted " + step, () -> has("#halted " + step));
    }

    /** Returns when it has stopped working and nothing is left to be recovered; then come {@link #said}'s last words. */
    void finish() throws IOException, InterruptedException {
        command("finish");
        await("finished", () -> has("#finished"));
    }

    /** What follows that word on the lines that begin with it, in their order. */
    List<String> said(String word) {
        synchronized (lines) {
            return lines.stream()
                    .filter(line -> line.startsWith(word + " "))
                    .map(line -> line.substring(word.length() + 1))
                    .toList();
        }
    }

    private boolean has(String wanted) {
        return lines.contains(wanted);
    }

    private void command(String line) throws IOException {
        Writer out = process.outputWriter(StandardCharsets.UTF_8);
        out.write(line + "\n");
        out.flush();
    }

    @FunctionalInterface
    private interface Condition {
        boolean holds();
    }

    private void await(String what, Condition condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        synchronized (lines) {
            while (!condition.holds()) {
                requireWhole();
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0 || !process.isAlive() && !reader.isAlive()) {
                    throw new AssertionError("the application is not at \"" + what + "\" after " + moves
                            + " moves; it said " + lines + "\n" + complaints());
                }
                lines.wait(left);
            }
            requireWhole();
        }
    }

    /** @throws AssertionError where it has said that a transaction ended as none may */
    void requireWhole() {
        synchronized (lines) {
            Predicate<String> broken = line -> line.startsWith("#broken");
            if (lines.stream().anyMatch(broken)) {
                throw new AssertionError(lines.stream().filter(broken).toList() + "\n" + complaints());
            }
        }
    }

    private String complaints() {
        try {
            String all = Files.readString(errors(), StandardCharsets.UTF_8);
            return all.substring(Math.max(0, all.length() - ERRORS_MAX));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** {@code kill -9}; returns when the process is gone. */
    void kill() throws InterruptedException {
        process.toHandle().destroyForcibly();
        process.waitFor();
        reader.join();
    }

    @Override
    public void close() {
        if (isRunning()) {
            process.toHandle().destroyForcibly();
            process.onExit().join();
        }
    }
}
