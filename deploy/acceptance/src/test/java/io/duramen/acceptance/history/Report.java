package io.duramen.acceptance.history;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What a check found: violations with their words, and counts. Used by one thread. */
public final class Report {
    /** Each promise, as the report words it. */
    public enum Promise {
        LOST("stored messages that never arrived"),
        INVENTED("messages that arrived although never sent or rolled back"),
        PARTIAL("transactions seen in part"),
        DISORDER("first deliveries out of their producer's order"),
        REPEATED("messages delivered again without having been in flight at a kill"),
        LEASED_TWICE("messages delivered again although a transaction that took them has committed"),
        BACK_IN_TIME("answers about a setting from before what was known by then"),
        TOKENS("tokens lost, or there twice, that transactions move from queue to queue");

        private final String words;

        Promise(String words) {
            this.words = words;
        }
    }

    private static final int SHOWN_MAX = 10;

    private final Map<Promise, List<String>> violations = new EnumMap<>(Promise.class);
    private final List<String> facts = new ArrayList<>();
    private final List<String> disturbances = new ArrayList<>();
    private long excused;
    private long inFlightAtKills;

    Report() {
        for (Promise promise : Promise.values()) {
            violations.put(promise, new ArrayList<>());
        }
    }

    /** One promise was broken once. */
    public void violated(Promise promise, String how) {
        violations.get(promise).add(how);
    }

    /** Something to tell besides. */
    public void fact(String line) {
        facts.add(line);
    }

    void disturbances(List<String> calls) {
        disturbances.addAll(calls);
    }

    void excuse() {
        excused++;
    }

    void inFlightAtKills(long count) {
        inFlightAtKills = count;
    }

    /** The violations of one promise; empty where it was kept. */
    public List<String> violationsOf(Promise promise) {
        return violations.get(promise);
    }

    /** Deliveries that came again and may: each repeats one that was in flight at a kill. */
    public long excusedRepeats() {
        return excused;
    }

    /** Deliveries that were with the application, not settled-and-answered, when the server was killed. */
    public long inFlightAtKills() {
        return inFlightAtKills;
    }

    /** Calls of clients that failed, each as the client's name and what it was told. */
    public List<String> disturbances() {
        return disturbances;
    }

    public boolean isClean() {
        return violations.values().stream().allMatch(List::isEmpty);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        facts.forEach(line -> text.append("  ").append(line).append('\n'));
        text.append(String.format(
                "  delivered again: %,d, each in flight at a kill (%,d were)%n", excused, inFlightAtKills));
        violations.forEach((promise, found) -> {
            text.append(String.format("  %,d %s%n", found.size(), promise.words));
            found.stream()
                    .limit(SHOWN_MAX)
                    .forEach(how -> text.append("    ").append(how).append('\n'));
        });
        return text.toString();
    }
}
