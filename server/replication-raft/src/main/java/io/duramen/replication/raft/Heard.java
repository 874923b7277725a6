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

    /** Whether that node has, within that time. */
    boolean within(Duration time, String node) {
        Long at = lastNanos.get(node);
        return at != null && System.nanoTime() - at <= time.toNanos();
    }

    /** How many of those who have a vote have, within that time. */
    int within(Duration time, Roster roster) {
        long now = System.nanoTime();
        return (int) roster.voters().stream()
                .map(peer -> lastNanos.get(peer.name()))
                .filter(at -> at != null && now - at <= time.toNanos())
                .count();
    }
}
