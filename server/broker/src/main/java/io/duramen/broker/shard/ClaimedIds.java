package io.duramen.broker.shard;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Identify;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which connection has which client id, where clients of one cluster come to several nodes: of the shard with the catalogue. All of it is soft, and of
 * one leadership: whoever claimed an id of the leader before has lost its connection by that. Confined to the agent.
 */
final class ClaimedIds {
    private record Claimant(ConnectionState connection, Reply reply) {}

    /** Of one incarnation of a client: the last has the id once the others, which it has left, are gone. */
    private static final class Claim {
        private final long incarnation;
        private final ArrayDeque<Claimant> claimants = new ArrayDeque<>();

        Claim(long incarnation) {
            this.incarnation = incarnation;
        }
    }

    private final Map<String, Claim> claims = new HashMap<>();
    private final Map<Long, Set<String>> byConnection = new HashMap<>();

    /** @throws ProtocolException where another client has the id */
    void claim(ConnectionState connection, Reply reply, Identify.Request request) {
        String id = request.clientId();
        Claim claim = claims.computeIfAbsent(id, none -> new Claim(request.incarnation()));
        if (claim.incarnation != request.incarnation()) {
            throw new ProtocolException(ErrorCode.CLIENT_ID_IN_USE, "another client has it");
        }
        Claimant before = claim.claimants.peekLast();
        claim.claimants.add(new Claimant(connection, reply));
        byConnection
                .computeIfAbsent(connection.connection().id(), none -> new TreeSet<>())
                .add(id);
        if (before == null) {
            reply.succeed(new Identify.Response());
        } else {
            before.connection().connection().supersede();
        }
    }

    /** Once nothing of a connection is left in this shard. */
    void disconnected(ConnectionState connection) {
        Set<String> ids = byConnection.remove(connection.connection().id());
        if (ids != null) {
            ids.forEach(id -> leaves(id, connection));
        }
    }

    private void leaves(String id, ConnectionState connection) {
        Claim claim = claims.get(id);
        int before = claim.claimants.size();
        boolean wasLast = claim.claimants.peekLast().connection() == connection;
        claim.claimants.removeIf(one -> one.connection() == connection);
        if (claim.claimants.isEmpty()) {
            claims.remove(id);
        } else if (claim.claimants.size() == 1 && before > 1 && !wasLast) {
            claim.claimants.peekLast().reply().succeed(new Identify.Response());
        }
    }
}
