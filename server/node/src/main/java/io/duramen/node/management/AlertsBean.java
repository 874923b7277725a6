package io.duramen.node.management;

import io.duramen.management.AlertRow;
import io.duramen.management.AlertsMXBean;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.management.MBeanNotificationInfo;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Thread-safe; told by one thread what there is. */
final class AlertsBean extends NotificationBroadcasterSupport implements AlertsMXBean {
    private static final Logger LOG = LoggerFactory.getLogger(AlertsBean.class);
    private static final String TYPE = "io.duramen.alert.";

    private final Map<Key, AlertRow> active = new LinkedHashMap<>();
    private long raised;
    private long lastNotification;

    private record Key(String kind, String subject) {
        static Key of(AlertRow row) {
            return new Key(row.kind(), row.subject());
        }
    }

    AlertsBean() {
        super(new MBeanNotificationInfo(
                new String[] {
                    TYPE + "shard-stopped",
                    TYPE + "log-damaged",
                    TYPE + "disk-full",
                    TYPE + "disk-low",
                    TYPE + "destination-full",
                    TYPE + "branch-in-doubt",
                    TYPE + "consumer-stuck",
                    TYPE + "consumers-failing",
                    TYPE + "over"
                },
                Notification.class.getName(),
                "what an operator should know of, and its end"));
    }

    @Override
    public synchronized List<AlertRow> getActive() {
        return active.values().stream()
                .sorted(Comparator.comparingLong(AlertRow::sinceMillis))
                .toList();
    }

    @Override
    public synchronized long getRaised() {
        return raised;
    }

    /** What there is by now: what was not there is raised, what is not among it any more is over. */
    void now(List<AlertRow> found) {
        changes(found).forEach(this::sendNotification);
    }

    private synchronized List<Notification> changes(List<AlertRow> found) {
        List<Notification> changes = new ArrayList<>();
        Map<Key, AlertRow> gone = new LinkedHashMap<>(active);
        for (AlertRow row : found) {
            gone.remove(Key.of(row));
            if (active.putIfAbsent(Key.of(row), row) == null) {
                raised++;
                LOG.warn("Alert {}: {}: {}", row.kind(), row.subject(), row.message());
                changes.add(notification(TYPE + row.kind(), row.subject() + ": " + row.message()));
            }
        }
        gone.forEach((key, row) -> {
            active.remove(key);
            LOG.info("Alert over: {}: {}", row.kind(), row.subject());
            changes.add(notification(TYPE + "over", row.kind() + ": " + row.subject()));
        });
        return changes;
    }

    private Notification notification(String type, String message) {
        return new Notification(type, "Alerts", ++lastNotification, System.currentTimeMillis(), message);
    }
}
