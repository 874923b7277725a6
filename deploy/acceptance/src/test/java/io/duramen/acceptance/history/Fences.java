package io.duramen.acceptance.history;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * For each kill and consumer, the moment from which it is sure that the consumer works off nothing that the killed server
 * had sent to it: its first settlement answered for a delivery received after the restart. Immutable once made.
 */
final class Fences {
    /** Of a delivery for which it is not sure which life of the server it came from. */
    static final int BETWEEN_LIVES = -1;

    private final List<Kill> kills;
    private final Map<String, long[]> fenceOf = new HashMap<>();

    Fences(List<Kill> kills, List<Delivery> deliveries) {
        this.kills = kills;
        for (Delivery delivery : deliveries) {
            long[] fences = fenceOf.computeIfAbsent(delivery.consumer(), c -> never(kills.size()));
            for (int k = 0; k < kills.size(); k++) {
                if (delivery.receivedNanos() > kills.get(k).readyNanos()) {
                    fences[k] = Math.min(fences[k], delivery.settledNanos());
                }
            }
        }
    }

    /**
     * Whether the application may have had the delivery from before the kill, without an answer to its settlement and
     * without having given it back.
     */
    boolean inFlightAt(int kill, Delivery delivery) {
        return delivery.receivedNanos() < fenceOf.get(delivery.consumer())[kill]
                && receivedInTheKilledLife(kill, delivery)
                && !delivery.settledBefore(kills.get(kill).killedNanos())
                && !delivery.releasedBefore(kills.get(kill).killedNanos());
    }

    /** The next kill's deliveries are not this one's, however late the consumer settled. */
    private boolean receivedInTheKilledLife(int kill, Delivery delivery) {
        return kill + 1 == kills.size()
                || delivery.receivedNanos() < kills.get(kill + 1).killedNanos();
    }

    /** The number of kills before the delivery's life of the server, or {@link #BETWEEN_LIVES}. */
    int lifeOf(Delivery delivery) {
        int life = 0;
        for (int k = 0; k < kills.size(); k++) {
            if (delivery.receivedNanos() > kills.get(k).killedNanos()) {
                if (delivery.receivedNanos() < fenceOf.get(delivery.consumer())[k]) {
                    return BETWEEN_LIVES;
                }
                life = k + 1;
            }
        }
        return life;
    }

    private static long[] never(int kills) {
        long[] fences = new long[kills];
        Arrays.fill(fences, Long.MAX_VALUE);
        return fences;
    }
}
