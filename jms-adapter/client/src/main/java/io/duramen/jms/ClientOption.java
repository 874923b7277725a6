package io.duramen.jms;

import io.duramen.jms.message.AllowedClasses;
import io.duramen.protocol.frame.Attach.Backoff;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Any thread. An option of the connection URL, declared once: name, type, default and bounds. Each is also a bean
 * property of {@link DuramenConnectionFactory} of the same name.
 */
public final class ClientOption<T> {
    private static final List<ClientOption<?>> DECLARED = new ArrayList<>();

    public static final ClientOption<String> USER = text("user", "User that logs in; empty for anonymous.");
    public static final ClientOption<String> PASSWORD = text("password", "Its password. Never printed.");
    public static final ClientOption<String> CLIENT_ID =
            text("clientId", "Client id of each connection; empty where the application sets one.");
    public static final ClientOption<Integer> PREFETCH = integer(
            "prefetch",
            1000,
            0,
            1_000_000,
            "Messages that the node sends ahead to a consumer at most; 0 for one when it is asked for.");
    public static final ClientOption<Integer> PREFETCH_BYTES = integer(
            "prefetchBytes",
            1024 * 1024,
            1,
            Integer.MAX_VALUE,
            "Bytes that the node sends ahead to a consumer at most.");
    public static final ClientOption<Integer> PREFETCH_MILLIS = integer(
            "prefetchMillis",
            200,
            0,
            3_600_000,
            "As many messages are sent ahead as a consumer gets done in this time; 0 for always as many as may be.");
    public static final ClientOption<Integer> REDELIVERY_DELAY_MILLIS = integer(
            "redeliveryDelayMillis",
            -1,
            -1,
            Integer.MAX_VALUE,
            "What a consumer gives back after its application had it waits so long; -1: as the node's policy has it.");
    public static final ClientOption<Integer> REDELIVERY_MULTIPLIER =
            integer("redeliveryMultiplier", 2, 1, Backoff.MULTIPLIER_MAX, "By how much that wait grows each time.");
    public static final ClientOption<Integer> REDELIVERY_DELAY_MAX_MILLIS =
            integer("redeliveryDelayMaxMillis", 60_000, 0, Integer.MAX_VALUE, "Longest such wait.");
    public static final ClientOption<Boolean> RECONNECT =
            flag("reconnect", true, "Whether a lost connection is taken up again.");
    public static final ClientOption<Integer> RECONNECT_DELAY_MILLIS = integer(
            "reconnectDelayMillis",
            50,
            1,
            3_600_000,
            "Wait before the second round over the nodes; doubles each time.");
    public static final ClientOption<Integer> RECONNECT_DELAY_MAX_MILLIS =
            integer("reconnectDelayMaxMillis", 2_000, 1, 3_600_000, "Longest wait between two rounds.");
    public static final ClientOption<Integer> RECONNECT_ATTEMPTS_MAX = integer(
            "reconnectAttemptsMax", 0, 0, Integer.MAX_VALUE, "Rounds after which it is given up; 0 for no limit.");
    public static final ClientOption<Integer> RECONNECT_TIME_MAX_MILLIS = integer(
            "reconnectTimeMaxMillis",
            300_000,
            0,
            Integer.MAX_VALUE,
            "Time after which it is given up; 0 for no limit.");
    public static final ClientOption<Integer> CONNECT_TIMEOUT_MILLIS = integer(
            "connectTimeoutMillis", 10_000, 1, Integer.MAX_VALUE, "For one node: connecting and logging in together.");
    public static final ClientOption<Integer> REQUEST_TIMEOUT_MILLIS = integer(
            "requestTimeoutMillis",
            30_000,
            0,
            Integer.MAX_VALUE,
            "Longest wait for an answer while connected; 0 for ever.");
    public static final ClientOption<Integer> XA_CALL_TIMEOUT_MILLIS = integer(
            "xaCallTimeoutMillis",
            30_000,
            1,
            Integer.MAX_VALUE,
            "Longest that a call of a transaction manager waits for the node, be it there or away.");
    public static final ClientOption<Integer> HEARTBEAT_MILLIS = integer(
            "heartbeatMillis",
            0,
            0,
            Integer.MAX_VALUE,
            "Each side says something at least this often; 0: as the node.");
    public static final ClientOption<Integer> BATCH_BYTES =
            integer("batchBytes", 256 * 1024, 1, 16 * 1024 * 1024, "Bytes at which a batch of sends is full.");
    public static final ClientOption<Integer> SEND_WINDOW_BYTES = integer(
            "sendWindowBytes",
            4 * 1024 * 1024,
            1,
            Integer.MAX_VALUE,
            "Bytes of one session that may be on their way before a send waits.");

    public static final ClientOption<String> PERSISTENT_ACKS = choice(
            "persistentAcks",
            "all",
            "What answers a persistent send: all, once it is as safe as the node's settings have it; 1, once the node that"
                    + " leads has written it, which is less than Jakarta Messaging promises.",
            "all",
            "1");
    public static final ClientOption<String> NON_PERSISTENT_ACKS = choice(
            "nonPersistentAcks",
            "0",
            "What a blocking non-persistent send waits for: 0, nothing; 1, that the node that leads has written it; all, as"
                    + " a persistent one.",
            "0",
            "1",
            "all");

    public static final ClientOption<Integer> REPLICAS = integer(
            "replicas",
            0,
            0,
            7,
            "On how many nodes of a cluster a queue or topic is to be that is made by its first use here; 0: as the node's"
                    + " settings say.");

    public static final ClientOption<Integer> LARGE_BODY_BYTES = integer(
            "largeBodyBytes",
            0,
            0,
            1024 * 1024 * 1024,
            "Bodies that are longer travel in parts, apart from their message; 0: a quarter of the node's frame limit.");

    public static final ClientOption<String> ALLOWED_CLASSES = new ClientOption<>(
            "allowedClasses",
            "",
            "Classes that object messages may hold, as patterns with commas between; empty for none.",
            text -> AllowedClasses.parse(text).toString());
    public static final ClientOption<Boolean> USER_ID =
            flag("userId", false, "Whether messages that are sent carry the user as JMSXUserID.");

    /** Reads a value from its text. */
    @FunctionalInterface
    private interface Reader<T> {
        T read(String text);
    }

    private final String name;
    private final T initial;
    private final String meaning;
    private final Reader<T> reader;

    private ClientOption(String name, T initial, String meaning, Reader<T> reader) {
        this.name = name;
        this.initial = initial;
        this.meaning = meaning;
        this.reader = reader;
        DECLARED.add(this);
    }

    private static ClientOption<String> text(String name, String meaning) {
        return new ClientOption<>(name, "", meaning, text -> text);
    }

    private static ClientOption<String> choice(String name, String initial, String meaning, String... values) {
        return new ClientOption<>(name, initial, meaning, text -> {
            if (!List.of(values).contains(text)) {
                throw new IllegalArgumentException(name + " is one of " + String.join(", ", values) + ", not " + text);
            }
            return text;
        });
    }

    private static ClientOption<Boolean> flag(String name, boolean initial, String meaning) {
        return new ClientOption<>(name, initial, meaning, text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(name + " is true or false, not " + text);
        });
    }

    private static ClientOption<Integer> integer(String name, int initial, int min, int max, String meaning) {
        return new ClientOption<>(name, initial, meaning, text -> {
            int value;
            try {
                value = Integer.parseInt(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(name + " is a whole number, not " + text, e);
            }
            if (value < min || value > max) {
                throw new IllegalArgumentException(name + " is " + value + ", not in " + min + ".." + max);
            }
            return value;
        });
    }

    /** All options, in the order of the reference. */
    public static List<ClientOption<?>> all() {
        return Collections.unmodifiableList(DECLARED);
    }

    static Optional<ClientOption<?>> named(String name) {
        return DECLARED.stream().filter(option -> option.name.equals(name)).findFirst();
    }

    public String name() {
        return name;
    }

    /** Its value where nothing is said. */
    public T initial() {
        return initial;
    }

    /** One sentence for the reference. */
    public String meaning() {
        return meaning;
    }

    boolean isSecret() {
        return this == PASSWORD;
    }

    /** @throws IllegalArgumentException naming the option where the text is no value of it */
    T read(String text) {
        return reader.read(text);
    }
}
