package io.duramen.protocol.frame;

import java.util.List;

/**
 * One way, server to client: there may be room now for requests that were refused with DESTINATION_FULL_WAIT. The client sends them
 * once more, as they were and with their correlation numbers, in the order of these; each is answered anew, maybe by the same
 * refusal. Until then the server refuses so, too, whatever else comes from the same producer to the partition: its order holds.
 * A client that has lost its connection sends again everything that was not answered otherwise, these among it.
 */
public interface SendAgain {
    record Push(List<Waiting> requests) {}

    record Waiting(long correlation) {}
}
