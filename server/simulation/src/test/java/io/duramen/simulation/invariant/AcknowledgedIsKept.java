package io.duramen.simulation.invariant;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.Settle;
import io.duramen.simulation.broker.Attachment;
import io.duramen.simulation.broker.Attachment.Place;
import io.duramen.simulation.broker.Observer;
import io.duramen.simulation.broker.SubscriptionKey;
import io.duramen.simulation.message.TestMessage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Every message that was acknowledged to its sender is processed by every subscription that was there when it was sent:
 * some consumer of it was given the message and accepted it, or one that takes its dead letters did. What was acknowledged as written only may be lost in a power
 * cut, or with the leader. Looked at when the world is at rest.
 */
public final class AcknowledgedIsKept implements Observer {
    private record Acknowledged(String destination, long sentAt, boolean onDisk) {}

    private final Map<TestMessage, Acknowledged> acknowledged = new LinkedHashMap<>();
    private final Map<TestMessage, Long> sentAt = new HashMap<>();
    private final Map<SubscriptionKey, Long> activeSince = new LinkedHashMap<>();
    private final Map<SubscriptionKey, Set<TestMessage>> processed = new HashMap<>();
    /** Dead letters that were delivered, and the subscription from which they came. */
    private final Map<Place, SubscriptionKey> deadLetters = new HashMap<>();

    private long now;

    @Override
    public void publishing(Publish.Request request, String destination, List<TestMessage> messages) {
        now++;
        messages.forEach(message -> sentAt.putIfAbsent(message, now));
    }

    @Override
    public void published(
            Publish.Request request, String destination, List<TestMessage> messages, Optional<ErrorCode> refusal) {
        if (refusal.isEmpty() && !destination.startsWith("temp.")) {
            acknowledge(destination, messages, request.acks() == Publish.Acks.ALL);
        }
    }

    private void acknowledge(String destination, List<TestMessage> messages, boolean onDisk) {
        messages.stream()
                .filter(message -> !message.mayBeRepeat())
                .forEach(message -> acknowledged.put(
                        message, new Acknowledged(destination, sentAt.getOrDefault(message, 0L), onDisk)));
    }

    @Override
    public void committed(TransactionView transaction, Optional<ErrorCode> refusal) {
        if (refusal.isEmpty()) {
            foundCommitted(transaction);
        }
    }

    @Override
    public void foundCommitted(TransactionView transaction) {
        transaction.sent().forEach(batch -> acknowledge(batch.destination(), batch.messages(), true));
        transaction.accepted().forEach(one -> process(one.attachment().subscription(), one.message()));
    }

    @Override
    public void attached(Attachment attachment, Attach.Request request, Attach.Response response) {
        SubscriptionKey key = attachment.subscription();
        if (key.isDurable() && key.kind() != SubscriptionKind.QUEUE) {
            activeSince.putIfAbsent(key, ++now);
        }
    }

    @Override
    public void delivering(Attachment attachment, Delivery delivery) {
        delivery.dead()
                .ifPresentOrElse(
                        mark -> deadLetters.put(delivery.place(), DeadLettersAreExact.origin(mark)),
                        () -> deadLetters.remove(delivery.place()));
    }

    @Override
    public void settling(Attachment attachment, Settle.Request request) {
        if (request.outcome() == Settle.Outcome.ACCEPTED) {
            for (Place place : Attachment.places(request.partition(), request.ranges())) {
                TestMessage message = attachment.given(place);
                if (message != null && deadLetters.containsKey(place)) {
                    process(deadLetters.get(place), message);
                } else if (message != null) {
                    process(attachment.subscription(), message);
                }
            }
        }
    }

    private void process(SubscriptionKey subscription, TestMessage message) {
        processed.computeIfAbsent(subscription, key -> new HashSet<>()).add(message.moved());
    }

    @Override
    public void unsubscribed(SubscriptionKey subscription) {
        activeSince
                .keySet()
                .removeIf(key ->
                        key.name().equals(subscription.name()) && key.clientId().equals(subscription.clientId()));
    }

    /** It may go past messages. */
    @Override
    public void seeking(SubscriptionKey subscription) {
        activeSince.remove(subscription);
    }

    @Override
    public void died(boolean powerCut) {
        if (powerCut) {
            takenBack();
        }
    }

    @Override
    public void takenBack() {
        acknowledged.values().removeIf(one -> !one.onDisk);
    }

    @Override
    public void atRest() {
        acknowledged.forEach((message, how) -> {
            SubscriptionKey queue = new SubscriptionKey(how.destination, SubscriptionKind.QUEUE, "", "", 0);
            if (!how.destination.startsWith("topic")) {
                require(queue, message);
            } else {
                activeSince.forEach((key, since) -> {
                    if (key.destination().equals(how.destination) && since < how.sentAt) {
                        require(key, message);
                    }
                });
            }
        });
    }

    private void require(SubscriptionKey key, TestMessage message) {
        if (!processed.getOrDefault(key, Set.of()).contains(message.moved())) {
            throw new AssertionError(message + " was acknowledged and lost to " + key);
        }
    }
}
