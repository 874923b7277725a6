package io.duramen.broker.destination;

import io.duramen.protocol.Protocol;
import io.duramen.runtime.settings.Durations;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The redelivery policy of each destination, by name, and which queues are for dead letters: those have no maximum
 * themselves, so that nothing goes round. Immutable.
 *
 * <p>In the name of a queue for dead letters {@code *} stands for the destination's name, or for {@code temporary} where that
 * is a temporary one.
 */
public final class RedeliveryPolicies {
    /** Stands for the names of temporary destinations. */
    private static final String TEMPORARY = "temporary";

    private static final int MAX = 1_000_000;

    private final RedeliveryPolicy usual;
    private final Map<NamePattern, RedeliveryPolicy> policies = new LinkedHashMap<>();
    private final List<NamePattern> deadLetterQueues = new ArrayList<>();

    /**
     * @param usual where no pattern matches, and for what a pattern does not say
     * @param texts {@code NAME=KEY:VALUE KEY:VALUE …} each; the first that matches is taken
     * @throws IllegalArgumentException where one is not like that
     */
    public RedeliveryPolicies(RedeliveryPolicy usual, List<String> texts) {
        this.usual = usual;
        addQueue(usual.deadLetterQueue());
        for (String text : texts) {
            int at = text.lastIndexOf('=');
            if (at < 1) {
                throw new IllegalArgumentException(
                        "broker.redelivery-of: '" + text + "' is no NAME=KEY:VALUE KEY:VALUE");
            }
            RedeliveryPolicy policy = parse(text.substring(at + 1).strip());
            policies.put(new NamePattern(text.substring(0, at).strip()), policy);
            addQueue(policy.deadLetterQueue());
        }
    }

    private void addQueue(String name) {
        if (name.replace("*", "").isEmpty()
                || name.startsWith(Names.TEMPORARY_PREFIX)
                || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "'" + name + "' names no queue for dead letters: it needs something beside *, and no prefix "
                            + Names.TEMPORARY_PREFIX);
        }
        deadLetterQueues.add(new NamePattern(name));
    }

    private RedeliveryPolicy parse(String text) {
        RedeliveryPolicy policy = usual;
        for (String item : text.split("\\s+")) {
            int at = item.indexOf(':');
            String value = at < 0 ? "" : item.substring(at + 1);
            try {
                policy = with(policy, at < 0 ? item : item.substring(0, at), value);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("broker.redelivery-of: '" + item + "' " + e.getMessage(), e);
            }
        }
        return policy;
    }

    /**
     * A policy with one thing changed.
     *
     * @throws IllegalArgumentException where there is no such key, or the value is none for it; the message goes on behind them
     */
    static RedeliveryPolicy with(RedeliveryPolicy from, String key, String value) {
        int max = from.deliveriesMax();
        int atOnce = from.atOnce();
        long delay = from.delayMillis();
        int multiplier = from.multiplier();
        long delayMax = from.delayMaxMillis();
        String queue = from.deadLetterQueue();
        switch (key) {
            case "max" -> max = number(value, 0);
            case "at-once" -> atOnce = number(value, 0);
            case "delay" -> delay = Durations.parse(value).toMillis();
            case "multiplier" -> multiplier = number(value, 1);
            case "delay-max" -> delayMax = Durations.parse(value).toMillis();
            case "dead-letters" -> queue = value;
            default ->
                throw new IllegalArgumentException(
                        "is none of max:, at-once:, delay:, multiplier:, delay-max: and dead-letters:");
        }
        return new RedeliveryPolicy(max, atOnce, delay, multiplier, delayMax, queue);
    }

    private static int number(String text, int min) {
        if (!text.matches("[0-9]{1,7}") || Integer.parseInt(text) < min || Integer.parseInt(text) > MAX) {
            throw new IllegalArgumentException("is no whole number of " + min + " to " + MAX);
        }
        return Integer.parseInt(text);
    }

    /** Whether a queue of this name is for dead letters. */
    public boolean isDeadLetterQueue(String name) {
        for (NamePattern queue : deadLetterQueues) {
            if (queue.matches(name)) {
                return true;
            }
        }
        return false;
    }

    /** The policy of a destination, with what was changed of it by itself, and the name of the queue for its dead letters. */
    public RedeliveryPolicy of(Destination destination) {
        String name = destination.name();
        RedeliveryPolicy policy = destination
                .settings()
                .over(policies.entrySet().stream()
                        .filter(entry -> entry.getKey().matches(name))
                        .findFirst()
                        .map(Map.Entry::getValue)
                        .orElse(usual));
        boolean dead = destination.kind().isQueue() && isDeadLetterQueue(name);
        return new RedeliveryPolicy(
                dead ? 0 : policy.deliveriesMax(),
                policy.atOnce(),
                policy.delayMillis(),
                policy.multiplier(),
                policy.delayMaxMillis(),
                dead ? "" : cut(policy.deadLetterQueue().replace("*", nameFor(destination))));
    }

    private static String nameFor(Destination destination) {
        return destination.kind().isTemporary() ? TEMPORARY : destination.name();
    }

    private static String cut(String name) {
        String text = name;
        while (text.getBytes(StandardCharsets.UTF_8).length > Protocol.NAME_LENGTH_MAX) {
            text = text.substring(0, text.offsetByCodePoints(text.length(), -1));
        }
        return text;
    }
}
