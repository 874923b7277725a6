package io.duramen.protocol.frame;

import java.util.List;

/** Finds a destination by name, or creates it where it is absent and the node allows it. */
public interface ResolveDestination {
    /** Version of the protocol from which a request says on how many nodes. */
    int REPLICAS_SINCE = 2;

    /**
     * @param name at most {@link io.duramen.protocol.Protocol#NAME_LENGTH_MAX} bytes
     * @param create whether to create it when absent; never for a temporary kind (see CreateTemporary)
     * @param replicas on how many nodes of a cluster it is to be where it is created, at most 7; 0 for what the settings say
     */
    record Request(
            String name,
            DestinationKind kind,
            boolean create,
            @Since(REPLICAS_SINCE) int replicas) {
        /** On as many nodes as the settings say. */
        public Request(String name, DestinationKind kind, boolean create) {
            this(name, kind, create, 0);
        }
    }

    /**
     * @param partitions in the order of their index; at least one
     * @param keyed how many of them, from the first on, take what has a key: messages of groups, those with a dedup id, and
     *     those of producers that have a name. The others came later; what has a key never moves
     */
    record Response(String name, DestinationKind kind, List<PartitionRef> partitions, int keyed) {}
}
