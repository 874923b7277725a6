package io.duramen.acceptance.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.ServerProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The metadata database of a stopped node is deleted, cut and changed: it starts, and everything is as before. In a plain build
 * with little; {@code -Dloss.messages=1000000 -Dloss.subscriptions=100} for the whole.
 */
class MetadataLossIT {
    private static final int MESSAGES = Integer.getInteger("loss.messages", 20_000);
    private static final int SUBSCRIPTIONS = Integer.getInteger("loss.subscriptions", 5);
    private static final int BRANCHES = 10;

    @TempDir
    private Path directory;

    /** Harms the database's file. */
    private interface Harm {
        void to(Path file) throws IOException;
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void shouldBeAsBeforeWhenTheMetadataStoreOfAStoppedNodeIsLostOrDamaged() throws Exception {
        try (ServerProcess server = ServerProcess.on(directory.resolve("data"))
                .with("broker.dedup-window", "1d")
                .with("broker.dedup-ids-max", "2000000")) {
            server.start();
            RichState state = new RichState(server.url(), MESSAGES, SUBSCRIPTIONS, BRANCHES);
            state.make();
            assertThat(server.terminate()).as(server.output()).isZero();
            List<String> before = exported(server);
            assertThat(before).hasSizeGreaterThan(SUBSCRIPTIONS);
            startWith(server, state, before, "whole", file -> {});
            startWith(server, state, before, "deleted", Files::delete);
            startWith(server, state, before, "cut in half", MetadataLossIT::cut);
            startWith(server, state, before, "changed in one byte", MetadataLossIT::change);
            server.start();
            state.finish();
        }
    }

    private static void cut(Path file) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(open.length() / 2);
        }
    }

    private static void change(Path file) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            long at = open.length() / 3;
            open.seek(at);
            int value = open.read();
            open.seek(at);
            open.write(value ^ 0x20);
        }
    }

    private static void startWith(ServerProcess server, RichState state, List<String> before, String how, Harm harm)
            throws Exception {
        harm.to(server.data().resolve("metadata").resolve("metadata.mv.db"));
        long startNanos = System.nanoTime();
        server.start();
        System.out.printf(
                "%,d messages, metadata store %s: ready after %,d ms%n",
                MESSAGES, how, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos));
        state.check();
        assertThat(server.terminate()).as(server.output()).isZero();
        assertThat(exported(server)).as("metadata store %s", how).isEqualTo(before);
    }

    /** Every row of the state but the one that says how far it goes: starts and ends go on with the log. */
    private static List<String> exported(ServerProcess server) throws Exception {
        return server.command("metadata", "export").stream()
                .filter(line -> !line.startsWith("{\"state\"") && !line.startsWith("{\"producer\""))
                .sorted()
                .toList();
    }
}
