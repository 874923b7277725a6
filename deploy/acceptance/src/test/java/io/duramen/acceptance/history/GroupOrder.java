package io.duramen.acceptance.history;

import io.duramen.acceptance.history.History.Subscription;
import io.duramen.acceptance.history.Report.Promise;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds the order of groups against what is promised: one consumer at a time has a group, so all consumers together see a producer's
 * messages of it in their order. Judged of messages that were sent after one kill and came before the next: what was sent before may wait
 * unseen in a consumer that was cut off, while another has got its group. Used once, by one thread.
 */
final class GroupOrder {
    /** Of a moment at which a kill was under way. */
    private static final int BETWEEN_LIVES = -1;

    private final History history;
    private final Report report;

    GroupOrder(History history, Report report) {
        this.history = history;
        this.report = report;
    }

    /** @param deliveries in the order of receipt */
    void check(Subscription subscription, List<Delivery> deliveries) {
        Set<MessageId> before = new HashSet<>();
        Map<String, Delivery> lastOf = new HashMap<>();
        for (Delivery delivery : deliveries) {
            Sent message = history.sent().get(delivery.message());
            if (!before.add(delivery.message()) || message == null) {
                continue; // It came again, or is told of as invented.
            }
            int life = life(message.sentNanos());
            if (life == BETWEEN_LIVES || life(delivery.receivedNanos()) != life) {
                continue;
            }
            String lane = message.group() + " p" + message.id().producer() + " " + life;
            Delivery last = lastOf.put(lane, delivery);
            if (last != null && last.message().sequence() > message.id().sequence()) {
                report.violated(
                        Promise.DISORDER,
                        subscription.name() + ", " + message.group() + ": " + last + ", then " + delivery);
            }
        }
    }

    /** How many kills were over by then. */
    private int life(long nanos) {
        int life = 0;
        for (Kill kill : history.kills()) {
            if (nanos > kill.readyNanos()) {
                life++;
            } else if (nanos >= kill.killedNanos()) {
                return BETWEEN_LIVES;
            }
        }
        return life;
    }
}
