package io.duramen.broker.subscription;

import java.util.TreeSet;

/**
 * Finds the messages of one partition whose time is over, though no consumer asks for them. Looks at each message that
 * is not settled or handed out by then once, and waits for the times it has seen. Soft state of the leader; confined to
 * the shard's agent.
 */
final class ExpirySweep {
    private final PartitionDispatch dispatch;
    private final RecordReader reader;
    private final Timers timers;

    /** To be looked at out of turn: due, or back from a consumer. */
    private final TreeSet<Long> again = new TreeSet<>();

    /** Everything below was looked at. */
    private long swept;

    ExpirySweep(PartitionDispatch dispatch, RecordReader reader, int timersMax) {
        this.dispatch = dispatch;
        this.reader = reader;
        this.timers = new Timers(timersMax);
    }

    /** Whether there are messages that it has not looked at. */
    boolean hasMore() {
        return !again.isEmpty() || Math.max(swept, dispatch.cursor().settledBelow()) < end();
    }

    /** Where the last message is that may expire. */
    private long end() {
        return dispatch.partition().expirationEnd();
    }

    int size() {
        return timers.size() + again.size();
    }

    /** When the next message that was looked at falls due; {@link Long#MAX_VALUE} for never. */
    long nextTime() {
        return timers.nextTime();
    }

    /** A message came back from a consumer, and was possibly passed over while it was away. */
    void returned(long offset) {
        if (offset < swept && offset < end()) {
            again.add(offset);
        }
    }

    /**
     * Looks at up to so many messages.
     *
     * @return how many; fewer than asked where there are no more, or bytes have to be fetched first
     */
    int sweep(int lookMax, long nowMillis, Expired expired) {
        for (long offset = timers.poll(nowMillis); offset >= 0; offset = timers.poll(nowMillis)) {
            again.add(offset);
        }
        if (timers.mustRecall(nowMillis)) {
            swept = Math.min(swept, timers.recall());
        }
        swept = Math.max(swept, dispatch.cursor().settledBelow());
        int looked = 0;
        while (looked < lookMax && !expired.isFull() && !again.isEmpty()) {
            long offset = again.first();
            if (dispatch.isFree(offset) && !look(offset, nowMillis, expired)) {
                return looked;
            }
            again.pollFirst();
            looked++;
        }
        while (looked < lookMax && !expired.isFull() && swept < end()) {
            long next = dispatch.nextFree(swept);
            if (next < 0 || next >= end()) {
                swept = end();
                break;
            }
            swept = next;
            if (!look(next, nowMillis, expired)) {
                return looked;
            }
            swept++;
            looked++;
        }
        if (!hasMore()) {
            reader.clear();
        }
        return looked;
    }

    private boolean look(long offset, long nowMillis, Expired expired) {
        if (!reader.seek(offset)) {
            return false;
        }
        if (reader.isExpired(nowMillis)) {
            dispatch.expire(offset, reader, expired);
        } else if (reader.expiration() != 0) {
            timers.add(reader.expiration(), offset);
        }
        return true;
    }
}
