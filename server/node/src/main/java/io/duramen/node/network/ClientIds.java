package io.duramen.node.network;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Which connection holds which client id. Thread-safe. */
final class ClientIds {
    /** Who can hold an id. */
    interface Owner {
        /** Has to end now, since the same client is back on another connection. From any thread. */
        void supersede();

        /** Completes once the shards have been told that the owner is gone. */
        CompletableFuture<Void> gone();
    }

    private record Claim(Owner owner, long incarnation, CompletableFuture<Void> predecessorsGone) {}

    private final ConcurrentMap<String, Claim> claims = new ConcurrentHashMap<>();

    /**
     * Gives the id to a new owner where it is free, or where its holder is the same incarnation, which then has to end.
     *
     * @return empty where another holds the id; else what completes once all earlier owners are gone for the shards, too
     */
    Optional<CompletableFuture<Void>> claim(String clientId, long incarnation, Owner owner) {
        Owner[] superseded = new Owner[1];
        Claim claim = claims.compute(clientId, (id, present) -> {
            if (present == null) {
                return new Claim(owner, incarnation, CompletableFuture.completedFuture(null));
            }
            if (present.incarnation != incarnation) {
                return present;
            }
            superseded[0] = present.owner;
            return new Claim(
                    owner, incarnation, CompletableFuture.allOf(present.predecessorsGone, present.owner.gone()));
        });
        if (superseded[0] != null) {
            superseded[0].supersede();
        }
        return claim.owner == owner ? Optional.of(claim.predecessorsGone) : Optional.empty();
    }

    /** Frees the id where this owner still has it. */
    void release(String clientId, Owner owner) {
        claims.computeIfPresent(clientId, (id, present) -> present.owner == owner ? null : present);
    }
}
