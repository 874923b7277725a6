package io.duramen.simulation.client;

import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.Recall;

/** One session of a simulated client: a producer, a consumer or both. Confined to the simulation. */
public interface ClientPart {
    /** The client has a new connection. */
    void connected();

    /** The connection is gone; nothing that was asked will be answered. */
    void lost();

    /** Something happened, or a moment passed: do what is to be done. Called only while connected. */
    void work();

    /** Whether the frame is for a consumer of this part. */
    default boolean owns(int consumerId) {
        return false;
    }

    default void deliver(Deliver.Push push) {}

    default void recall(Recall.Push push) {}

    /** Begin nothing new; finish what was begun. */
    void windDown();

    /** Whether nothing is unfinished. */
    boolean isIdle();

    /** For failure messages. */
    String describe();
}
