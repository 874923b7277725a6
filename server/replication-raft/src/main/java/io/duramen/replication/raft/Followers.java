package io.duramen.replication.raft;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The replicas in this process, by group and address, for what their leader says that the engine does not ask them about. From any
 * thread.
 */
final class Followers {
    private final Map<Name, Follower> followers = new ConcurrentHashMap<>();

    /** @param peer its address, as the engine writes it */
    private record Name(String group, String peer) {}

    /** A replica that may follow. From any thread. */
    interface Follower {
        /**
         * Completed by whether that entry stands in its log, with that epoch, and its engine may still read it; false where it ends, or
         * another log is about to take the place of its own.
         */
        CompletableFuture<Boolean> has(long index, long epoch);

        /** The leader of that epoch goes on behind this entry, and asks for none before it any more. */
        void goesOnBehind(long index, long epoch);

        /** Whether its disk has room for a further segment, as far as is known. */
        boolean hasRoom();
    }

    void add(String group, String peer, Follower follower) {
        followers.put(new Name(group, peer), follower);
    }

    void remove(String group, String peer, Follower follower) {
        followers.remove(new Name(group, peer), follower);
    }

    Optional<Follower> find(String group, String peer) {
        return Optional.ofNullable(followers.get(new Name(group, peer)));
    }
}
