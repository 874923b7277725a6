package io.duramen.acceptance.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what a process prints, on a thread of its own; keeps the last lines, and the last that are no warnings. Thread-safe. */
final class ServerOutput {
    private static final Pattern READY = Pattern.compile("Duramen \\S+ ready on \\S+:\\d+");
    private static final Pattern DEBUGGED = Pattern.compile("Listening for transport dt_socket at address: (\\d+)");
    private static final int LINES_MAX = 500;

    private static final String INFO = " INFO ";

    private final Deque<String> lines = new ArrayDeque<>();
    private final Deque<String> infos = new ArrayDeque<>();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final Thread reader;
    private volatile int debugPort;

    ServerOutput(Process process) {
        reader = new Thread(() -> read(process), "server-output-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Done when the ready line was printed; fails when the output ends before. */
    CompletableFuture<Void> ready() {
        return ready;
    }

    /** Where a debugger attaches; 0 for nowhere. Known once the node is ready. */
    int debugPort() {
        return debugPort;
    }

    void awaitEnd() throws InterruptedException {
        reader.join();
    }

    private void read(Process process) {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                keep(line);
                Matcher debugged = DEBUGGED.matcher(line);
                if (debugged.find()) {
                    debugPort = Integer.parseInt(debugged.group(1));
                }
                if (READY.matcher(line).find()) {
                    ready.complete(null);
                }
            }
        } catch (IOException e) {
            keep("(output broke off: " + e.getMessage() + ")");
        }
        ready.completeExceptionally(new IllegalStateException("the output ended"));
    }

    private void keep(String line) {
        synchronized (lines) {
            add(lines, line);
            if (line.contains(INFO)) {
                add(infos, line);
            }
        }
    }

    private static void add(Deque<String> to, String line) {
        if (to.size() == LINES_MAX) {
            to.removeFirst();
        }
        to.addLast(line);
    }

    /** What it told in the way of business, however many warnings came after it. */
    String infos() {
        synchronized (lines) {
            return String.join("\n", infos);
        }
    }

    @Override
    public String toString() {
        synchronized (lines) {
            return String.join("\n", lines);
        }
    }
}
