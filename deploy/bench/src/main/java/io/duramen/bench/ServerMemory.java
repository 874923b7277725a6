package io.duramen.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a server's process uses, as its JVM ({@code jcmd}) and Linux ({@code /proc}) say. Stateless. */
final class ServerMemory {
    private static final Pattern HEAP = Pattern.compile("total (\\d+)K, used (\\d+)K");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final Pattern PEAK = Pattern.compile("VmHWM:\\s+(\\d+) kB");

    private final long pid;

    ServerMemory(long pid) {
        this.pid = pid;
    }

    /** Heap in use (garbage included) and in all, resident memory now and at its peak. */
    String describe() throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(pid),
                        "GC.heap_info")
                .redirectErrorStream(true)
                .start();
        String heap = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        jcmd.waitFor();
        String status = Files.readString(Path.of("/proc", Long.toString(pid), "status"));
        Matcher matcher = HEAP.matcher(heap);
        String used = matcher.find()
                ? String.format("heap %d of %d MiB", mebibytes(matcher.group(2)), mebibytes(matcher.group(1)))
                : "heap unknown";
        return used + String.format(", resident %d MiB, peak %d MiB", find(RESIDENT, status), find(PEAK, status));
    }

    private static long find(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? mebibytes(matcher.group(1)) : -1;
    }

    private static long mebibytes(String kibibytes) {
        return Long.parseLong(kibibytes) / 1024;
    }
}
