package io.duramen.acceptance.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cluster of which a node that follows is killed, and comes back once the others have deleted of their logs what it lacks. When it is
 * in sync again the leader is killed, and comes back, too. Used by one thread.
 */
public final class LeftBehind extends ClusterVictim {
    private final boolean emptied;
    private String told = "";

    /** @param emptied whether it comes back with an empty directory, in place of the one that it had */
    public LeftBehind(ClusterProcess cluster, boolean emptied) {
        super(cluster);
        this.emptied = emptied;
    }

    @Override
    public void killAndReturn() throws IOException, InterruptedException {
        ServerProcess leader = cluster().awaitLeader();
        ServerProcess away = cluster().nodes().stream()
                .filter(node -> node != leader)
                .findFirst()
                .orElseThrow();
        long killedNanos = System.nanoTime();
        away.kill();
        List<ServerProcess> others =
                cluster().nodes().stream().filter(node -> node != away).toList();
        long last = cluster().figure(leader, node -> node.ofShard("LogLastIndex"));
        if (last < 1) {
            throw new IllegalStateException("the leader does not tell how far its log goes");
        }
        cluster()
                .await(
                        "deleting behind entry " + last,
                        () -> allHave(others, last) ? Optional.of(leader) : Optional.empty());
        long backNanos = System.nanoTime();
        if (emptied) {
            deleteAll(away.data());
            away.with("cluster.join", "true");
        }
        away.start();
        cluster().awaitInSync();
        told = String.format(
                "%s was away until entry %d was deleted after %d ms, and in sync again %d ms later",
                cluster().name(away), last, millis(killedNanos, backNanos), millis(backNanos, System.nanoTime()));
        requireCopied(away.infos());
        told += away.infos()
                .lines()
                .filter(line -> line.matches(".*( ready on |Cop|cop|takes part|leads with).*"))
                .collect(Collectors.joining("\n  ", "\n  ", ""));
        cluster().killAndReturn();
    }

    private static long millis(long fromNanos, long toNanos) {
        return TimeUnit.NANOSECONDS.toMillis(toNanos - fromNanos);
    }

    private boolean allHave(List<ServerProcess> nodes, long deletedIndex) {
        return nodes.stream()
                .allMatch(node -> cluster().figure(node, of -> of.ofShard("LogFirstIndex")) > deletedIndex);
    }

    private static void requireCopied(String output) {
        if (!output.matches("(?s).*Copied [0-9]+ bytes in [0-9]+ ms.*")) {
            throw new AssertionError("the node that was left behind has copied nothing; it said:\n" + output);
        }
    }

    static void deleteAll(Path directory) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(directory)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.delete(path);
        }
    }

    /** How it went, in words. */
    public String told() {
        return told;
    }
}
