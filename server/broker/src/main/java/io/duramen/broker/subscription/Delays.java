package io.duramen.broker.subscription;

import java.util.List;

/**
 * The messages of one partition whose delivery time is to come, whoever wants them. Soft state of the leader; confined to
 * the shard's agent.
 */
final class Delays {
    private final int max;

    /** Null where there never was one. */
    private Timers timers;

    /** @param max most messages that are kept; the later ones are looked for again when they fall due */
    Delays(int max) {
        this.max = max;
    }

    int size() {
        return timers == null ? 0 : timers.size();
    }

    /** Keeps a message until its time; one that is kept already stays as it is. */
    void add(long deliveryTime, long offset) {
        if (timers == null) {
            timers = new Timers(max);
        }
        timers.add(deliveryTime, offset);
    }

    /** When the next one falls due; {@link Long#MAX_VALUE} for never. */
    long next() {
        return timers == null ? Long.MAX_VALUE : timers.nextTime();
    }

    /** Offers what is due by now to all who may want it. */
    void offerDue(long nowMillis, List<Lane> lanes, List<EqualityIndex> indexes) {
        if (timers == null) {
            return;
        }
        for (long offset = timers.poll(nowMillis); offset >= 0; offset = timers.poll(nowMillis)) {
            for (int i = 0; i < lanes.size(); i++) {
                lanes.get(i).due(offset);
            }
            for (int i = 0; i < indexes.size(); i++) {
                indexes.get(i).due(offset);
            }
        }
        if (timers.mustRecall(nowMillis)) {
            long from = timers.recall();
            for (int i = 0; i < lanes.size(); i++) {
                lanes.get(i).scan().rewindTo(from);
            }
            for (int i = 0; i < indexes.size(); i++) {
                indexes.get(i).rewindTo(from);
            }
        }
    }
}
