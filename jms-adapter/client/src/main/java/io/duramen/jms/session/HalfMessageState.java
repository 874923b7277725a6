package io.duramen.jms.session;

import java.time.Instant;

/**
 * A half message as the node lists it.
 *
 * @param destination that it is meant for; empty where that was deleted, or the message is parked
 * @param since when it was stored, or where it is parked, when it was; by the node's clock
 * @param asks how often its group was asked
 * @param parked where it was parked and why; empty for one that waits for its end
 */
public record HalfMessageState(String id, String group, String destination, Instant since, int asks, String parked) {
    public boolean isParked() {
        return !parked.isEmpty();
    }
}
