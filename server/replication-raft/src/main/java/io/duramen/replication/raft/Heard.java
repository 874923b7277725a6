package io.duramen.replication.raft;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** When each of the other nodes last asked or answered something. From any thread. */
final class Heard {
    private final Map<String, Long> lastNanos = new ConcurrentHashMap<>();

    void from(RaftPeer peer) {
        lastNanos.put(peer.name(), System.nanoTime());
    }

    /** How many have, within that time. */
    int within(Duration time) {
        long now = System.nanoTime();
        return (int) lastNanos.values().stream()
                .filter(at -> now - at <= time.toNanos())
                .count();
    }
}
