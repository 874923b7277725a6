package io.duramen.broker.shard;

import io.duramen.broker.destination.Partition;
import io.duramen.broker.shard.Capacity.Verdict;
import io.duramen.broker.shard.Promised.Amount;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Frame;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.SendAgain;
import io.duramen.protocol.record.RecordBatch;
import io.duramen.runtime.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Producers' batches that wait for room in destinations which have their senders wait: their messages stay with the clients, here
 * is known no more than which, in the order in which they came. Once there is room the first of them are called: their clients send
 * them again. Nothing that a producer has sent behind a batch that waits is stored before it. Soft state of the leader; confined to
 * the agent.
 */
final class WaitingSenders {
    /** Of one connection; what comes beyond is refused. */
    private static final int WAITING_MAX = 4096;

    /** Partitions that are looked at each time. */
    private static final int LOOKS_MAX = 64;

    /** Who was called and has not come by then leaves the room that was kept for it to others. */
    private static final Duration CALL_ANSWERED_WITHIN = Duration.ofSeconds(1);

    private record Request(long connection, long correlation) {}

    private record Sender(long connection, long producer, int partition) {}

    private record Waiting(Reply reply, Amount amount, Sender sender, long sequence) {}

    /** Those of one partition, and what was called of them. */
    private static final class Line {
        final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
        final LinkedHashMap<Request, Waiting> called = new LinkedHashMap<>();
        Amount reserved = Amount.NONE;
        long calledNanos;

        /** @return whether it was called */
        boolean comes(Request request) {
            Waiting come = called.remove(request);
            reserved = come == null ? reserved : reserved.without(come.amount);
            return come != null;
        }

        boolean isOver() {
            return waiting.isEmpty() && called.isEmpty();
        }
    }

    private final ShardState state;
    private final Clock clock;
    private final Map<Integer, Line> lines = new LinkedHashMap<>();

    /** First sequences of a producer's batches that wait, called or not. */
    private final Map<Sender, TreeSet<Long>> behind = new HashMap<>();

    /** By connection, how many batches wait. */
    private final Map<Long, Integer> counts = new HashMap<>();

    /** Of these partitions so many, the first, are to be looked at yet. */
    private int unlooked;

    private long lookedAtIndex = -1;

    /** When somebody who was called may be late; {@link Long#MAX_VALUE} for nobody. */
    private long lateNanos = Long.MAX_VALUE;

    WaitingSenders(ShardState state, Clock clock) {
        this.state = state;
        this.clock = clock;
    }

    /** Whether nobody waits: asked for every batch. */
    boolean isNone() {
        return lines.isEmpty() && behind.isEmpty();
    }

    /**
     * Lets a batch in, or has it wait.
     *
     * @throws ProtocolException where it may not be stored, for good or for now
     */
    void admit(Reply reply, Partition partition, Publish.Request publish, Amount amount) {
        Line line = lines.get(partition.id());
        Request request = new Request(reply.connection().id(), reply.correlation());
        boolean called = line != null && line.comes(request);
        boolean isBehind = isBehind(reply, publish);
        boolean blocks = partition.destination().settings().blocks();
        boolean queues = !called && blocks && line != null && !line.waiting.isEmpty();
        Verdict verdict = isBehind || queues
                ? Verdict.FULL
                : state.capacity.verdict(partition, amount, called || line == null ? Amount.NONE : line.reserved, true);
        if (verdict == Verdict.FITS) {
            over(reply, publish);
            return;
        }
        boolean waits = publish.acks() != Publish.Acks.NONE
                && (blocks || isBehind)
                && verdict == Verdict.FULL
                && counts.getOrDefault(request.connection, 0) < WAITING_MAX;
        if (waits) {
            wait(reply, publish, amount, called && !isBehind);
        } else {
            over(reply, publish);
        }
        lookedAtIndex = called ? -1 : lookedAtIndex; // there may be room for others
        // Who does not want an answer has to learn to want one.
        boolean shallWait = waits || blocks && verdict == Verdict.FULL && publish.acks() == Publish.Acks.NONE;
        throw state.capacity.refusal(
                shallWait ? ErrorCode.DESTINATION_FULL_WAIT : ErrorCode.DESTINATION_FULL, partition, amount);
    }

    private static Sender sender(Reply reply, Publish.Request publish) {
        return new Sender(reply.connection().id(), RecordBatch.producerId(publish.batch()), publish.partition());
    }

    private boolean isBehind(Reply reply, Publish.Request publish) {
        TreeSet<Long> waiting = behind.get(sender(reply, publish));
        return waiting != null && RecordBatch.baseSequence(publish.batch()) > waiting.first();
    }

    private void wait(Reply reply, Publish.Request publish, Amount amount, boolean first) {
        Sender sender = sender(reply, publish);
        long sequence = RecordBatch.baseSequence(publish.batch());
        Waiting one = new Waiting(reply, amount, sender, sequence);
        ArrayDeque<Waiting> waiting = lines.computeIfAbsent(publish.partition(), none -> new Line()).waiting;
        if (first) {
            waiting.addFirst(one);
        } else {
            waiting.add(one);
        }
        if (sender.producer != 0 && sequence >= 0) {
            behind.computeIfAbsent(sender, none -> new TreeSet<>()).add(sequence);
        }
        counts.merge(sender.connection, 1, Integer::sum);
    }

    /** A batch is stored, or refused for good: what its producer has sent behind it no longer waits for it. */
    void over(Reply reply, Publish.Request publish) {
        Line line = lines.get(publish.partition());
        if (line != null) {
            line.comes(new Request(reply.connection().id(), reply.correlation()));
            if (line.isOver()) {
                lines.remove(publish.partition());
            }
        }
        notBehind(sender(reply, publish), RecordBatch.baseSequence(publish.batch()));
    }

    private void notBehind(Sender sender, long sequence) {
        behind.computeIfPresent(sender, (same, waiting) -> {
            waiting.remove(sequence);
            return waiting.isEmpty() ? null : waiting;
        });
    }

    void disconnected(ClientConnection connection) {
        if (isNone()) {
            return;
        }
        long id = connection.id();
        counts.remove(id);
        behind.keySet().removeIf(sender -> sender.connection == id);
        for (Line line : lines.values()) {
            line.waiting.removeIf(one -> one.reply.connection().id() == id);
            List<Request> gone = line.called.keySet().stream()
                    .filter(one -> one.connection == id)
                    .toList();
            gone.forEach(line::comes);
        }
        lines.values().removeIf(Line::isOver);
        lookedAtIndex = -1;
    }

    // ---- calling ---------------------------------------------------------------------------------------------------

    /**
     * Calls those for whom there is room, where anything has changed since it was called last: a few partitions each time, in
     * turn, however many wait.
     */
    int doWork() {
        if (lines.isEmpty()) {
            return 0;
        }
        if (state.appliedIndex != lookedAtIndex) {
            lookedAtIndex = state.appliedIndex;
            unlooked = lines.size();
        }
        if (clock.nanos() - lateNanos >= 0 && lateNanos != Long.MAX_VALUE) {
            lateNanos = Long.MAX_VALUE; // those that are looked at say it anew
            unlooked = lines.size();
        }
        int looks = Math.min(Math.min(unlooked, lines.size()), LOOKS_MAX);
        if (looks == 0) {
            return 0;
        }
        unlooked -= looks;
        Map<ClientConnection, List<SendAgain.Waiting>> calls = new LinkedHashMap<>();
        for (int i = 0; i < looks; i++) {
            int partition = lines.keySet().iterator().next();
            Line line = lines.remove(partition);
            look(partition, line, calls);
            if (!line.isOver()) {
                lines.put(partition, line); // behind the others
            }
        }
        calls.forEach((to, requests) -> to.send(Frame.push(new SendAgain.Push(requests))));
        return looks;
    }

    private void look(int partition, Line line, Map<ClientConnection, List<SendAgain.Waiting>> calls) {
        if (isLate(line)) {
            line.called.values().forEach(one -> notBehind(one.sender, one.sequence));
            List.copyOf(line.called.keySet()).forEach(line::comes);
        }
        call(state.catalogue.partition(partition), line, calls);
        if (!line.called.isEmpty()) {
            long end = endOfCall(line);
            lateNanos = lateNanos == Long.MAX_VALUE || end - lateNanos < 0 ? end : lateNanos;
        }
    }

    private void call(Partition partition, Line line, Map<ClientConnection, List<SendAgain.Waiting>> calls) {
        while (!line.waiting.isEmpty() && mayCome(partition, line, line.waiting.peek())) {
            Waiting next = line.waiting.poll();
            ClientConnection to = next.reply.connection();
            counts.computeIfPresent(to.id(), (same, count) -> count == 1 ? null : count - 1);
            line.called.put(new Request(to.id(), next.reply.correlation()), next);
            line.reserved = line.reserved.and(next.amount);
            line.calledNanos = clock.nanos();
            calls.computeIfAbsent(to, none -> new ArrayList<>()).add(new SendAgain.Waiting(next.reply.correlation()));
        }
    }

    /** Also where it will be refused for good, or needs to wait no longer. */
    private boolean mayCome(Partition partition, Line line, Waiting next) {
        return partition == null
                || partition.destination().isLeaving()
                || !partition.destination().settings().blocks()
                || state.capacity.verdict(partition, next.amount, line.reserved, true) != Verdict.FULL;
    }

    private boolean isLate(Line line) {
        return !line.called.isEmpty() && clock.nanos() - endOfCall(line) >= 0;
    }

    private static long endOfCall(Line line) {
        return line.calledNanos + CALL_ANSWERED_WITHIN.toNanos();
    }

    /** When, on {@link Clock#nanos}, room that was kept for who was called may be free again. */
    long deadlineNanos() {
        return lateNanos;
    }
}
