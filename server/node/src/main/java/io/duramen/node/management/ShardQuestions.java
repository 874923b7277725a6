package io.duramen.node.management;

import io.duramen.broker.shard.OperatorRequest;
import io.duramen.broker.shard.ShardRequest;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.runtime.agent.Inbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks shards what operators ask, and waits for their answers, not for ever. Thread-safe. */
final class ShardQuestions {
    /** The shard with the catalogue. */
    static final int CATALOGUE = 0;

    private final List<Inbox<ShardRequest>> inboxes;
    private final Duration timeout;

    /**
     * @param inboxes of the shards, by number
     * @param timeout longest wait for one operation
     */
    ShardQuestions(List<Inbox<ShardRequest>> inboxes, Duration timeout) {
        this.inboxes = inboxes;
        this.timeout = timeout;
    }

    int shards() {
        return inboxes.size();
    }

    /** The time within which an operation that begins now ends. */
    Deadline deadline() {
        return new Deadline(System.nanoTime() + timeout.toNanos());
    }

    /** The end of an operation, on {@link System#nanoTime}. */
    record Deadline(long nanos) {
        long leftNanos() {
            return nanos - System.nanoTime();
        }

        boolean isOver() {
            return leftNanos() <= 0;
        }

        /** When half of what is left of it is over. */
        Deadline half() {
            return new Deadline(nanos - leftNanos() / 2);
        }
    }

    /**
     * Asks one shard.
     *
     * @throws ProtocolException where it refuses
     * @throws IllegalStateException where it has not answered in time: whether it will do what it was asked is not known
     */
    <A> A ask(int shard, OperatorRequest<A> request, Deadline deadline) {
        return await(shard, tell(shard, request), deadline);
    }

    /** As {@link #ask}, of all shards at the same time; their answers by number. */
    <A> List<A> askAll(OperatorRequest<A> request, Deadline deadline) {
        List<CompletableFuture<A>> asked = new ArrayList<>();
        for (int shard = 0; shard < inboxes.size(); shard++) {
            asked.add(tell(shard, request));
        }
        List<A> answers = new ArrayList<>();
        for (int shard = 0; shard < inboxes.size(); shard++) {
            answers.add(await(shard, asked.get(shard), deadline));
        }
        return answers;
    }

    /** As {@link #askAll}; empty where not all have answered in time. */
    <A> Optional<List<A>> tryAll(OperatorRequest<A> request, Deadline deadline) {
        List<CompletableFuture<A>> asked = new ArrayList<>();
        for (int shard = 0; shard < inboxes.size(); shard++) {
            asked.add(tell(shard, request));
        }
        try {
            CompletableFuture.allOf(asked.toArray(new CompletableFuture<?>[0]))
                    .get(Math.max(0, deadline.leftNanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the shards were asked");
        } catch (ExecutionException e) {
            throw failure(e);
        }
        return Optional.of(asked.stream().map(CompletableFuture::join).toList());
    }

    private static ProtocolException failure(ExecutionException e) {
        return e.getCause() instanceof ProtocolException refusal
                ? new ProtocolException(refusal.code(), refusal.getMessage())
                : new ProtocolException(ErrorCode.INTERNAL, String.valueOf(e.getCause()));
    }

    private <A> CompletableFuture<A> tell(int shard, OperatorRequest<A> request) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        inboxes.get(shard).offer(new ShardRequest.FromOperator<>(request, answer));
        return answer;
    }

    private <A> A await(int shard, CompletableFuture<A> answer, Deadline deadline) {
        try {
            return answer.get(Math.max(0, deadline.leftNanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException("shard " + shard + " has not answered within " + timeout
                    + " (management.timeout); whether it does what it was asked is not known");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while shard " + shard + " was asked");
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }
}
