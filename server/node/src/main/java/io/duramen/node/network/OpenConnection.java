package io.duramen.node.network;

import java.util.Optional;

/**
 * A connection as an operator sees it, at one moment. Immutable.
 *
 * @param user empty before it has logged in
 * @param address of the client
 * @param openedMillis milliseconds since 1970
 */
public record OpenConnection(
        long id, Optional<String> user, Optional<String> clientId, String address, long openedMillis) {}
