package io.duramen.broker.shard;

import io.duramen.broker.shard.OperatorRequest.AttachedEntry;
import io.duramen.broker.subscription.Consumer;
import io.duramen.protocol.Frame;
import io.duramen.protocol.frame.EndConsumer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/** Consumers that operators look at, and have leave. Confined to the agent. */
final class ConsumerEndings {
    private static final String REASON = "an operator has closed this consumer";

    private final LongFunction<ConnectionState> connections;
    private final ConsumerDecisions consumers;
    private final Appender appender;

    /** Who waits for consumers to leave. */
    private final Map<Consumer, List<CompletableFuture<Boolean>>> awaited = new HashMap<>();

    /** @param connections by their ids; null for none */
    ConsumerEndings(LongFunction<ConnectionState> connections, ConsumerDecisions consumers, Appender appender) {
        this.connections = connections;
        this.consumers = consumers;
        this.appender = appender;
        consumers.onLeft(this::left);
    }

    List<AttachedEntry> list(OperatorRequest.ListAttached request) {
        ConnectionState connection = connections.apply(request.connection());
        return connection == null
                ? List.of()
                : connection.consumersBehind(request.after()).stream()
                        .filter(consumer -> !consumer.isDetached())
                        .limit(request.limit())
                        .map(ConsumerEndings::entry)
                        .toList();
    }

    private static AttachedEntry entry(Consumer consumer) {
        return new AttachedEntry(
                consumer.id(),
                consumer.subscription().destination().name(),
                consumer.subscription().row().name(),
                consumer.leases());
    }

    void end(OperatorRequest.EndConsumer request, CompletableFuture<Boolean> answer) {
        ConnectionState connection = connections.apply(request.connection());
        if (connection == null
                || !connection.has(request.consumer())
                || connection.consumer(request.consumer()).isDetached()) {
            answer.complete(false);
            return;
        }
        Consumer consumer = connection.consumer(request.consumer());
        appender.requireWritable();
        awaited.computeIfAbsent(consumer, none -> new ArrayList<>(1)).add(answer);
        if (request.now()) {
            consumers.cutOff(connection, consumer);
        }
        connection.connection().send(Frame.push(new EndConsumer.Push(consumer.shard(), consumer.id(), REASON)));
    }

    private void left(Consumer consumer) {
        List<CompletableFuture<Boolean>> answers = awaited.remove(consumer);
        if (answers != null) {
            answers.forEach(answer -> appender.whenDurable(OperatorDecisions.done(answer, true)));
        }
    }
}
