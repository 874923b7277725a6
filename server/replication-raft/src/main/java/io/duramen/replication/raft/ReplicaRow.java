package io.duramen.replication.raft;

import java.util.Optional;

/**
 * How a replica of a group stands, as its leader sees it. Immutable.
 *
 * @param votes whether it decides with the others; if not, it is to be added
 * @param lagEntries that the leader has and it has not; empty where that is not known
 * @param silentMillis since it was asked what it answered last; empty where it has not answered this leader; 0 for the leader itself
 * @param inSync whether it answers, and had all that was committed when it was asked within the last two election timeouts
 */
public record ReplicaRow(
        RaftPeer peer, boolean votes, Optional<Long> lagEntries, Optional<Long> silentMillis, boolean inSync) {}
