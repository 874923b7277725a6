package io.duramen.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/**
 * Prints a Markdown table for each scenario of a file of results: the median of each figure over the repetitions, and
 * how many times as much each peer's is of the label that the table is about. Run by one thread.
 */
public final class Ratios {
    /** What to look at first when a run cannot be believed. */
    private static final List<String> ANOMALIES =
            List.of("errors", "lost", "duplicated", "out_of_order", "corrupt", "misrouted", "foreign", "unconfirmed");

    private final String ours;
    private final Map<String, Map<String, List<Result>>> byScenario = new LinkedHashMap<>();
    private final Set<String> anomalies = new LinkedHashSet<>();

    Ratios(String ours, List<String> lines) {
        this.ours = ours;
        for (String line : lines) {
            Result result = new Result(line);
            if (result.scenario().isEmpty()) {
                continue;
            }
            if (result.isComplete()) {
                byScenario
                        .computeIfAbsent(result.scenario(), s -> new LinkedHashMap<>())
                        .computeIfAbsent(result.label(), l -> new ArrayList<>())
                        .add(result);
            } else {
                anomalies.add(result.label() + ", " + result.scenario() + ": " + line);
            }
            noteAnomalies(result);
        }
    }

    /** @param args the prefix of our labels, and files of results */
    public static void main(String[] args) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String file : Arrays.asList(args).subList(1, args.length)) {
            lines.addAll(Files.readAllLines(Path.of(file)));
        }
        System.out.print(new Ratios(args[0], lines).table());
    }

    private void noteAnomalies(Result result) {
        for (String key : ANOMALIES) {
            double count = result.number(key).orElse(0);
            if (count != 0) {
                anomalies.add(String.format("%s, %s: %s %.0f", result.label(), result.scenario(), key, count));
            }
        }
    }

    String table() {
        StringBuilder text = new StringBuilder();
        byScenario.forEach((scenario, byLabel) -> {
            text.append(String.format("%n### %s%n%n", scenario));
            text.append("| server | received/s | of it: ours | sent/s | send p50 / p99 ms | e2e p50 / p99 ms"
                    + " | server CPU s per 100k | of it: ours | peak RSS MB | runs, other CPU s |\n");
            text.append("|---|---|---|---|---|---|---|---|---|---|\n");
            byLabel.forEach((label, results) -> text.append(row(label, results, oursBeside(label, byLabel))));
        });
        if (!anomalies.isEmpty()) {
            text.append("\nTo look at:\n");
            anomalies.forEach(line -> text.append("- ").append(line).append('\n'));
        }
        return text.toString();
    }

    /** Our results with the same durability as the label's, which its last part names. */
    private List<Result> oursBeside(String label, Map<String, List<Result>> byLabel) {
        String durability = label.substring(label.lastIndexOf('-') + 1);
        List<Result> same = byLabel.get(ours + "-" + durability);
        return same != null ? same : List.of();
    }

    private static String row(String label, List<Result> results, List<Result> ours) {
        Function<Result, OptionalDouble> received = r -> r.number("received_per_s");
        Function<Result, OptionalDouble> cpu = r -> r.number("broker_cpu_s_per_100k");
        StringBuilder others = new StringBuilder();
        results.forEach(r -> others.append(others.isEmpty() ? "" : "/")
                .append(String.format("%.1f", r.number("other_cpu_s").orElse(Double.NaN))));
        return String.format(
                "| %s | %,.0f | %s | %,.0f | %s | %s | %.1f | %s | %,.0f | %d, %s |%n",
                label,
                median(results, received),
                ratio(median(ours, received), median(results, received)),
                median(results, r -> r.number("sent_per_s")),
                latencies(results, "send_us"),
                latencies(results, "e2e_us"),
                median(results, cpu),
                ratio(median(ours, cpu), median(results, cpu)),
                median(results, r -> r.number("broker_rss_peak_mb")),
                results.size(),
                others);
    }

    private static String latencies(List<Result> results, String group) {
        return String.format(
                "%.2f / %.2f",
                median(results, r -> r.number(group, "p50")) / 1e3, median(results, r -> r.number(group, "p99")) / 1e3);
    }

    private static String ratio(double ours, double theirs) {
        return Double.isNaN(ours) || Double.isNaN(theirs) || theirs == 0 ? "-" : String.format("%.2f", ours / theirs);
    }

    /** NaN where no result has the figure. */
    static double median(List<Result> results, Function<Result, OptionalDouble> figure) {
        double[] sorted = results.stream()
                .map(figure)
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .sorted()
                .toArray();
        if (sorted.length == 0) {
            return Double.NaN;
        }
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
