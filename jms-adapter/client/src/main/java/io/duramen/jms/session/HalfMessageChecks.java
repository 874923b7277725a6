package io.duramen.jms.session;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Thread-safe. Asks the node for half messages of a group that nobody has ended, hands them to a checker, and tells the node
 * what it says. Goes on until it is closed, its connection is, or that is given up.
 */
public final class HalfMessageChecks implements AutoCloseable {
    private final DuramenConnection connection;
    private final List<HalfAsker> askers;

    HalfMessageChecks(DuramenConnection connection, String group, HalfMessageChecker checker) {
        this.connection = connection;
        Object checking = new Object();
        HalfMessageChecker inTurn = check -> {
            synchronized (checking) {
                return checker.check(check);
            }
        };
        int shards = HalfPlace.shards(connection.conversation().link());
        this.askers = IntStream.range(0, shards)
                .mapToObj(shard -> new HalfAsker(connection, shard, group, inTurn))
                .toList();
    }

    void start() {
        askers.forEach(HalfAsker::start);
    }

    /** Returns once a check that is going on has ended, unless that calls this. */
    @Override
    public void close() {
        askers.forEach(HalfAsker::stop);
        connection.onClosed(this);
        if (askers.stream().noneMatch(HalfAsker::isCurrent)) {
            join();
        }
    }

    private void join() {
        try {
            for (HalfAsker asker : askers) {
                asker.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
