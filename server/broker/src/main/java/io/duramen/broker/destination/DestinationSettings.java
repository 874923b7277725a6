package io.duramen.broker.destination;

import io.duramen.runtime.settings.Bytes;
import io.duramen.runtime.settings.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What was changed of one destination while the node runs, in place of what the settings under {@code broker.} say of it: words
 * {@code KEY:VALUE} with blanks between. Immutable.
 */
public final class DestinationSettings {
    /** Nothing was changed. */
    public static final DestinationSettings NONE = new DestinationSettings(new TreeMap<>());

    /** In place of a queue's name: what has expired goes nowhere. */
    public static final String DROP = "drop";

    public static final String EXPIRED = "expired";
    public static final String DEAD_LETTERS = "dead-letters";
    public static final String MAX = "max";
    public static final String DEDUP_WINDOW = "dedup-window";
    public static final String DEDUP_IDS = "dedup-ids";
    public static final String KEEP = "keep";
    public static final String KEEP_SIZE = "keep-size";
    public static final String MAX_MESSAGES = "max-messages";
    public static final String MAX_BYTES = "max-bytes";
    public static final String WHEN_FULL = "when-full";

    /** Values of {@link #WHEN_FULL}: who sends to what is full is refused, or waits. */
    public static final String REFUSE = "refuse";

    public static final String BLOCK = "block";

    public static final String ACKS = "acks";

    /** Values of {@link #ACKS}: a message is answered as its sender asks, or never before it is as safe as it can be. */
    public static final String CLIENT = "client";

    public static final String ALL = "all";

    /** All that can be changed, in the order in which they are listed. */
    public static final List<String> KEYS = List.of(
            MAX,
            "at-once",
            "delay",
            "multiplier",
            "delay-max",
            DEAD_LETTERS,
            EXPIRED,
            DEDUP_WINDOW,
            DEDUP_IDS,
            KEEP,
            KEEP_SIZE,
            MAX_MESSAGES,
            MAX_BYTES,
            WHEN_FULL,
            ACKS);

    private static final List<String> OF_REDELIVERY = KEYS.subList(0, 6);
    private static final int DEDUP_IDS_MAX = 500_000_000;
    private static final int MESSAGES_MAX = 999_999_999;
    private static final Duration DEDUP_WINDOW_MAX = Duration.ofDays(3650);
    private static final Duration KEEP_MAX = Duration.ofDays(36500);
    private static final Duration DELAY_MAX = Duration.ofDays(365);
    private static final RedeliveryPolicy ANY = new RedeliveryPolicy(0, 0, 0, 1, 0, "");

    private final Map<String, String> values;
    private final boolean expiredChanged;
    private final boolean expiredDropped;
    private final long keepMillis;
    private final long keepBytes;
    private final long messagesMax;
    private final long bytesMax;
    private final boolean blocks;
    private final boolean acksAll;

    private DestinationSettings(TreeMap<String, String> values) {
        this.values = values;
        expiredChanged = values.containsKey(EXPIRED);
        expiredDropped = DROP.equals(values.get(EXPIRED));
        boolean timed = values.containsKey(KEEP);
        boolean sized = values.containsKey(KEEP_SIZE);
        keepMillis = timed ? Durations.parse(values.get(KEEP)).toMillis() : sized ? Long.MAX_VALUE : 0;
        keepBytes = sized ? Bytes.parse(values.get(KEEP_SIZE)).count() : timed ? Long.MAX_VALUE : 0;
        messagesMax = values.containsKey(MAX_MESSAGES) ? Integer.parseInt(values.get(MAX_MESSAGES)) : Long.MAX_VALUE;
        bytesMax = values.containsKey(MAX_BYTES)
                ? Bytes.parse(values.get(MAX_BYTES)).count()
                : Long.MAX_VALUE;
        blocks = BLOCK.equals(values.get(WHEN_FULL));
        acksAll = ALL.equals(values.get(ACKS));
    }

    /** What {@link #text} gave. A word that this version does not know, or cannot read, is left out. */
    public static DestinationSettings parse(String text) {
        TreeMap<String, String> values = new TreeMap<>();
        for (String word : words(text)) {
            int colon = word.indexOf(':');
            try {
                check(word.substring(0, Math.max(0, colon)), word.substring(colon + 1));
                values.put(word.substring(0, colon), word.substring(colon + 1));
            } catch (IllegalArgumentException e) {
                continue; // a newer version wrote it
            }
        }
        return values.isEmpty() ? NONE : new DestinationSettings(values);
    }

    /**
     * These with changes.
     *
     * @param changes {@code KEY:VALUE} with blanks between; {@code KEY:} has the node's settings hold again
     * @throws IllegalArgumentException where one is not like that; the message says which, and what would be
     */
    public DestinationSettings with(String changes) {
        List<String> words = words(changes);
        if (words.isEmpty()) {
            throw new IllegalArgumentException("nothing is to be changed: KEY:VALUE is due, with blanks between");
        }
        TreeMap<String, String> changed = new TreeMap<>(values);
        for (String word : words) {
            int colon = word.indexOf(':');
            if (colon < 1) {
                throw new IllegalArgumentException("'" + word + "' is no KEY:VALUE");
            }
            String key = word.substring(0, colon);
            String value = word.substring(colon + 1);
            if (value.isEmpty() && KEYS.contains(key)) {
                changed.remove(key);
            } else {
                try {
                    check(key, value);
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException("'" + word + "' " + e.getMessage(), e);
                }
                changed.put(key, value);
            }
        }
        return changed.isEmpty() ? NONE : new DestinationSettings(changed);
    }

    private static List<String> words(String text) {
        List<String> words = new ArrayList<>(List.of(text.strip().split("\\s+")));
        words.removeIf(String::isEmpty);
        return words;
    }

    private static void check(String key, String value) {
        if (OF_REDELIVERY.contains(key)) {
            RedeliveryPolicy policy = RedeliveryPolicies.with(ANY, key, value);
            if (Math.max(policy.delayMillis(), policy.delayMaxMillis()) > DELAY_MAX.toMillis()) {
                throw new IllegalArgumentException("is longer than " + DELAY_MAX.toDays() + " days");
            }
            return;
        }
        switch (key) {
            case EXPIRED -> {}
            case DEDUP_WINDOW -> {
                Duration window = Durations.parse(value);
                if (window.toSeconds() < 1 || window.compareTo(DEDUP_WINDOW_MAX) > 0) {
                    throw new IllegalArgumentException("is none of 1s to " + DEDUP_WINDOW_MAX.toDays() + "d");
                }
            }
            case DEDUP_IDS -> number(value, DEDUP_IDS_MAX);
            case KEEP -> {
                Duration time = Durations.parse(value);
                if (time.toSeconds() < 1 || time.compareTo(KEEP_MAX) > 0) {
                    throw new IllegalArgumentException("is none of 1s to " + KEEP_MAX.toDays() + "d");
                }
            }
            case WHEN_FULL -> {
                if (!value.equals(REFUSE) && !value.equals(BLOCK)) {
                    throw new IllegalArgumentException("is neither " + REFUSE + " nor " + BLOCK);
                }
            }
            case ACKS -> {
                if (!value.equals(CLIENT) && !value.equals(ALL)) {
                    throw new IllegalArgumentException("is neither " + CLIENT + " nor " + ALL
                            + ": a destination answers no earlier than is asked for");
                }
            }
            case MAX_MESSAGES -> number(value, MESSAGES_MAX);
            case KEEP_SIZE, MAX_BYTES -> {
                if (Bytes.parse(value).count() < 1) {
                    throw new IllegalArgumentException("is no size of at least one byte");
                }
            }
            case "partitions" ->
                throw new IllegalArgumentException(
                        "cannot be changed so: partitions are added with addPartitions, and never taken away");
            case "name", "kind" -> throw new IllegalArgumentException("cannot be changed: it is what it was made");
            default ->
                throw new IllegalArgumentException(
                        "can be set for the whole node alone, if at all; of a destination can be changed: "
                                + String.join(", ", KEYS));
        }
    }

    private static int number(String text, int max) {
        if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > max) {
            throw new IllegalArgumentException("is no whole number of 1 to " + max);
        }
        return Integer.parseInt(text);
    }

    /** Whether this was changed. */
    public boolean has(String key) {
        return values.containsKey(key);
    }

    /** As it was changed; empty where it was not. */
    public Optional<String> value(String key) {
        return Optional.ofNullable(values.get(key));
    }

    /** All of them, which {@link #parse} reads; empty for {@link #NONE}. */
    public String text() {
        return values.entrySet().stream()
                .map(entry -> entry.getKey() + ":" + entry.getValue())
                .collect(Collectors.joining(" "));
    }

    /** A policy with what was changed in it. */
    RedeliveryPolicy over(RedeliveryPolicy policy) {
        RedeliveryPolicy changed = policy;
        for (String key : OF_REDELIVERY) {
            String value = values.get(key);
            changed = value == null ? changed : RedeliveryPolicies.with(changed, key, value);
        }
        return changed;
    }

    /**
     * The queue for what has expired; empty where it is dropped.
     *
     * @param usual what the node's settings say
     */
    public String expiryQueue(String usual) {
        String changed = values.getOrDefault(EXPIRED, usual);
        return changed.equals(DROP) ? "" : changed;
    }

    /** Whether what has expired goes somewhere; asked whenever messages are handed out. */
    public boolean movesExpired(boolean usual) {
        return expiredChanged ? !expiredDropped : usual;
    }

    /** How long dedup ids are remembered, in seconds; {@code usual} where it was not changed. */
    public long dedupSeconds(long usual) {
        String changed = values.get(DEDUP_WINDOW);
        return changed == null ? usual : Durations.parse(changed).toSeconds();
    }

    /** Most dedup ids remembered of a partition; {@code usual} where it was not changed. */
    public int dedupIdsMax(int usual) {
        String changed = values.get(DEDUP_IDS);
        return changed == null ? usual : Integer.parseInt(changed);
    }

    /** Whether messages are kept that are settled. */
    public boolean keeps() {
        return keepBytes > 0;
    }

    /** For how long they are; {@link Long#MAX_VALUE} where their size alone counts. */
    public long keepMillis() {
        return keepMillis;
    }

    /** How many of the last bytes of a partition are; {@link Long#MAX_VALUE} where their age alone counts. */
    public long keepBytes() {
        return keepBytes;
    }

    /** Whether partitions take no more than so many messages or bytes. */
    public boolean limits() {
        return messagesMax != Long.MAX_VALUE || limitsBytes();
    }

    public boolean limitsBytes() {
        return bytesMax != Long.MAX_VALUE;
    }

    /** Whether who sends to a partition that is full waits until it is not; refused otherwise. */
    public boolean blocks() {
        return blocks;
    }

    /** Whether every answer to a sender waits until its message is as safe as it can be, whatever the sender asked for. */
    public boolean acksAll() {
        return acksAll;
    }

    /** Most messages of a partition; {@link Long#MAX_VALUE} for any number. */
    public long messagesMax() {
        return messagesMax;
    }

    /** Most bytes of the messages of a partition; {@link Long#MAX_VALUE} for any number. */
    public long bytesMax() {
        return bytesMax;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DestinationSettings same && same.values.equals(values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return text();
    }
}
