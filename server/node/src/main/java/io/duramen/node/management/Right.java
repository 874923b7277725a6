package io.duramen.node.management;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a user may do through remote JMX; each has those before it, too. */
enum Right {
    /** Attributes and lists. */
    VIEW,
    /** Besides, look at messages, and do what can be undone, or comes again by itself. */
    OPERATE,
    /** Besides, what cannot be undone. */
    ADMINISTER;

    private static final Map<String, Set<String>> VIEWS = Map.of(
            "Destinations", Set.of("list", "consumers", "settings"),
            "Subscriptions", Set.of("list"),
            "Connections", Set.of("list", "consumers"),
            "Cluster", Set.of("list", "listShards"),
            "Branches", Set.of("list"));

    private static final Map<String, Set<String>> OPERATES = Map.of(
            "Destinations", Set.of("create", "pause", "resume"),
            "Subscriptions", Set.of("pause", "resume"),
            "Connections", Set.of("close", "closeConsumer"),
            "Cluster", Set.of("stepDown", "drain", "resume"),
            "DeadLetters", Set.of("list", "sendBack", "sendBackSlowly"),
            "Messages",
                    Set.of(
                            "browse",
                            "browseSubscription",
                            "read",
                            "held",
                            "takeBack",
                            "send",
                            "sendText",
                            "move",
                            "moveOne",
                            "copy",
                            "copyOne"));

    private static final Map<String, Set<String>> ADMINISTERS = Map.of(
            "Destinations", Set.of("addPartitions", "change", "delete", "purge", "seek"),
            "Subscriptions", Set.of("purge", "seek"),
            "Branches", Set.of("commit", "rollBack"),
            "Cluster", Set.of("add", "remove", "replace", "finishUpgrade"),
            "Messages", Set.of("deleteOne", "expire", "expireOne"));

    /**
     * What an operation needs; empty for one that stands in none of the tables, which nobody may call.
     *
     * @param type of the MXBean, as in its name
     */
    static Optional<Right> neededFor(String type, String operation) {
        if (has(VIEWS, type, operation)) {
            return Optional.of(VIEW);
        }
        if (has(OPERATES, type, operation)) {
            return Optional.of(OPERATE);
        }
        return has(ADMINISTERS, type, operation) ? Optional.of(ADMINISTER) : Optional.empty();
    }

    private static boolean has(Map<String, Set<String>> table, String type, String operation) {
        return table.getOrDefault(type, Set.of()).contains(operation);
    }

    /** The highest that the settings give to a user. */
    static Optional<Right> of(ManagementConfig config, String user) {
        if (has(config.administrators(), user)) {
            return Optional.of(ADMINISTER);
        }
        if (has(config.operators(), user)) {
            return Optional.of(OPERATE);
        }
        return has(config.viewers(), user) ? Optional.of(VIEW) : Optional.empty();
    }

    private static boolean has(List<String> users, String user) {
        return users.contains(user) || users.contains("*");
    }
}
