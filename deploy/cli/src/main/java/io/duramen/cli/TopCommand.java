package io.duramen.cli;

import io.duramen.management.AlertRow;
import io.duramen.management.AlertsMXBean;
import io.duramen.management.DestinationPage;
import io.duramen.management.DestinationRow;
import io.duramen.management.DestinationsMXBean;
import io.duramen.management.NodeMXBean;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A live table of the fullest destinations, with the node's rates above it. Used by one thread. */
@Command(
        name = "top",
        description = "Shows rates, alerts, and the fullest destinations, again and again.",
        mixinStandardHelpOptions = true)
final class TopCommand implements Callable<Integer> {
    private static final String CLEAR = "\033[H\033[2J";

    private final Access access;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            defaultValue = "2",
            description = "Between two looks (default: ${DEFAULT-VALUE}).")
    private int interval;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "0",
            description = "How many looks; 0 until interrupted (default: ${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "20",
            description = "Most destinations (default: ${DEFAULT-VALUE}).")
    private int rows;

    private long lastNanos;
    private long lastStored;
    private long lastSettled;

    TopCommand(Access access) {
        this.access = access;
    }

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        for (int looks = 0; count == 0 || looks < count; looks++) {
            if (looks > 0) {
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(Math.max(1, interval)));
                out.print(System.console() == null ? "\n" : CLEAR);
            }
            print(out);
        }
        return CommandLine.ExitCode.OK;
    }

    private void print(PrintWriter out) throws IOException {
        NodeMXBean node = access.bean(NodeMXBean.class);
        long now = System.nanoTime();
        long stored = node.getMessagesStored();
        long settled = node.getMessagesSettled();
        double seconds = (now - lastNanos) / 1e9;
        String rates = lastNanos == 0
                ? "stored " + stored + ", settled " + settled
                : "stored %.0f/s, settled %.0f/s"
                        .formatted((stored - lastStored) / seconds, (settled - lastSettled) / seconds);
        lastNanos = now;
        lastStored = stored;
        lastSettled = settled;
        out.println("%s %s: %d connections, %d destinations, %s"
                .formatted(node.getName(), node.getAddress(), node.getConnections(), node.getDestinations(), rates));
        for (AlertRow alert : access.bean(AlertsMXBean.class).getActive()) {
            out.println("! " + alert.kind() + ": " + alert.subject() + ": " + alert.message());
        }
        Output.table(fullest(), out);
        out.flush();
    }

    private List<DestinationRow> fullest() throws IOException {
        DestinationsMXBean destinations = access.bean(DestinationsMXBean.class);
        List<DestinationRow> all = new ArrayList<>();
        String after = "";
        do {
            DestinationPage page = destinations.list("", after, DestinationsMXBean.PAGE_MAX);
            all.addAll(page.rows());
            after = page.next();
        } while (!after.isEmpty());
        return all.stream()
                .sorted(Comparator.comparingLong(DestinationRow::messages).reversed())
                .limit(rows)
                .toList();
    }
}
