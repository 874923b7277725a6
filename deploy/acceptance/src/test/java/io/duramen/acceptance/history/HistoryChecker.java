package io.duramen.acceptance.history;

import io.duramen.acceptance.history.History.Subscription;
import io.duramen.acceptance.history.Report.Promise;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Holds a history against the promises. Used once, by one thread, while nothing is added to the history.
 *
 * <p>A delivery is <em>in flight at a kill</em> when the application had it (or took it from what its client held back
 * from the old server) and the call that settles it had not returned when the signal was sent. Only such a delivery may
 * be followed by another of the same message to the same subscription, and only after the kill. A delivery that the
 * application itself gave back may be followed by another at any time; one that a transaction took which has committed, never: whoever
 * commits held the message, and nobody else can hold it afterwards.
 *
 * <p>Order on a subscription with competing consumers is judged for each consumer between kills, leaving out the time
 * from a kill until that consumer's first settlement that the restarted server answered: only then is it sure that it
 * works off nothing that was sent to it before. There, too, a consumer that gave deliveries back may have had later ones
 * waiting unseen, which then reach another consumer that has gone on.
 */
final class HistoryChecker {
    private final History history;
    private final List<Kill> kills;
    private final Report report = new Report();

    HistoryChecker(History history) {
        this.history = history;
        this.kills = history.kills();
    }

    Report check() {
        List<Subscription> all =
                history.subscriptions().values().stream().flatMap(List::stream).toList();
        checkNothingLost();
        long inFlight = 0;
        for (Subscription subscription : all) {
            List<Delivery> deliveries = inOrderOfReceipt(subscription);
            Fences fences = new Fences(kills, deliveries);
            checkNothingInvented(subscription);
            checkRepeats(subscription, fences);
            if (subscription.order() == History.Order.GROUPS) {
                new GroupOrder(history, report).check(subscription, deliveries);
            } else {
                checkOrder(subscription, deliveries, fences);
            }
            inFlight += countInFlight(deliveries, fences);
            report.fact(String.format("%s: %,d deliveries", subscription.name(), deliveries.size()));
        }
        report.inFlightAtKills(inFlight);
        checkTransactionsWhole(all);
        addFacts();
        return report;
    }

    private void checkNothingLost() {
        for (Sent message : history.sent().values()) {
            if (message.outcome() != Sent.Outcome.STORED) {
                continue;
            }
            for (Subscription subscription : history.subscriptions().get(message.destination())) {
                if (!history.deliveriesOf(subscription).containsKey(message.id())) {
                    report.violated(Promise.LOST, message.id() + " on " + subscription.name() + inTransaction(message));
                }
            }
        }
    }

    private void checkNothingInvented(Subscription subscription) {
        history.deliveriesOf(subscription).forEach((id, deliveries) -> {
            Sent message = history.sent().get(id);
            if (message == null || !message.destination().equals(subscription.destination())) {
                report.violated(Promise.INVENTED, deliveries.get(0) + " was never sent there");
            } else if (message.outcome() == Sent.Outcome.ROLLED_BACK) {
                report.violated(Promise.INVENTED, deliveries.get(0) + " was rolled back" + inTransaction(message));
            }
        });
    }

    /** Stored transactions that miss something are losses already; here are those in doubt. */
    private void checkTransactionsWhole(List<Subscription> all) {
        Set<MessageId> seen = new HashSet<>();
        all.forEach(
                subscription -> seen.addAll(history.deliveriesOf(subscription).keySet()));
        history.transactions().forEach((number, messages) -> {
            List<MessageId> missing = new ArrayList<>();
            for (Sent message : messages) {
                for (Subscription subscription : history.subscriptions().get(message.destination())) {
                    if (!history.deliveriesOf(subscription).containsKey(message.id())) {
                        missing.add(message.id());
                    }
                }
            }
            boolean someSeen = messages.stream().anyMatch(message -> seen.contains(message.id()));
            if (someSeen && !missing.isEmpty()) {
                report.violated(Promise.PARTIAL, "transaction " + number + " lacks " + missing);
            }
        });
    }

    private void checkRepeats(Subscription subscription, Fences fences) {
        for (List<Delivery> deliveries : history.deliveriesOf(subscription).values()) {
            for (int i = 1; i < deliveries.size(); i++) {
                Delivery earlier = deliveries.get(i - 1);
                Delivery again = deliveries.get(i);
                if (earlier.releasedBefore(again.receivedNanos())) {
                    continue;
                }
                if (earlier.isCommitted()) {
                    report.violated(Promise.LEASED_TWICE, subscription.name() + ": " + earlier + "; again " + again);
                    continue;
                }
                if (wasInFlightAtAKillBefore(earlier, again, fences)) {
                    report.excuse();
                } else {
                    report.violated(
                            Promise.REPEATED,
                            subscription.name() + ": " + earlier + "; again " + again
                                    + "; kills between or next to them: " + killsAround(earlier, again));
                }
            }
        }
    }

    private boolean wasInFlightAtAKillBefore(Delivery earlier, Delivery again, Fences fences) {
        for (int k = 0; k < kills.size(); k++) {
            if (fences.inFlightAt(k, earlier)
                    && again.receivedNanos() > kills.get(k).killedNanos()) {
                return true;
            }
        }
        return false;
    }

    private List<Kill> killsAround(Delivery earlier, Delivery again) {
        return kills.stream()
                .filter(kill ->
                        kill.readyNanos() > earlier.receivedNanos() && kill.killedNanos() < again.receivedNanos())
                .toList();
    }

    private void checkOrder(Subscription subscription, List<Delivery> deliveries, Fences fences) {
        Set<MessageId> before = new HashSet<>();
        Map<String, Delivery> lastOf = new HashMap<>();
        for (Delivery delivery : deliveries) {
            if (!before.add(delivery.message())) {
                continue;
            }
            int life = subscription.exclusive() ? 0 : fences.lifeOf(delivery);
            if (life == Fences.BETWEEN_LIVES) {
                continue;
            }
            String lane = "p" + delivery.message().producer();
            if (!subscription.exclusive()) {
                lane += " " + delivery.consumer() + " " + life;
            }
            Delivery last = lastOf.put(lane, delivery);
            if (last != null
                    && last.message().sequence() > delivery.message().sequence()
                    && (subscription.exclusive() || !wasGivenBackByAnother(delivery, life, deliveries))) {
                report.violated(Promise.DISORDER, subscription.name() + ": " + last + ", then " + delivery);
            }
        }
    }

    /** Whether another consumer gave deliveries back, and with them what it had not seen yet, in this life before. */
    private boolean wasGivenBackByAnother(Delivery delivery, int life, List<Delivery> deliveries) {
        long lifeNanos = life == 0 ? Long.MIN_VALUE : kills.get(life - 1).killedNanos();
        return deliveries.stream()
                .anyMatch(other -> !other.consumer().equals(delivery.consumer())
                        && other.releasedBefore(delivery.receivedNanos())
                        && other.releasedAfter(lifeNanos));
    }

    private long countInFlight(List<Delivery> deliveries, Fences fences) {
        long count = 0;
        for (Delivery delivery : deliveries) {
            for (int k = 0; k < kills.size(); k++) {
                if (fences.inFlightAt(k, delivery)) {
                    count++;
                }
            }
        }
        return count;
    }

    private List<Delivery> inOrderOfReceipt(Subscription subscription) {
        return history.deliveriesOf(subscription).values().stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparingLong(Delivery::receivedNanos))
                .collect(Collectors.toList());
    }

    private void addFacts() {
        Map<Sent.Outcome, Long> outcomes =
                history.sent().values().stream().collect(Collectors.groupingBy(Sent::outcome, Collectors.counting()));
        Map<Sent.Outcome, Long> transactions = history.transactions().values().stream()
                .collect(Collectors.groupingBy(messages -> messages.get(0).outcome(), Collectors.counting()));
        report.fact("messages sent: " + outcomes);
        report.fact("transactions: " + transactions);
        report.fact(String.format(
                "kills: %d, slowest restart %.1f s",
                kills.size(),
                kills.stream()
                                .mapToLong(kill -> kill.readyNanos() - kill.killedNanos())
                                .max()
                                .orElse(0)
                        / 1e9));
        report.disturbances(history.disturbances());
        report.fact("calls of clients that failed: " + history.disturbances().size());
        history.disturbances().stream().distinct().limit(5).forEach(line -> report.fact("  " + line));
    }

    private static String inTransaction(Sent message) {
        return message.transaction() == Sent.NO_TRANSACTION ? "" : " in transaction " + message.transaction();
    }
}
