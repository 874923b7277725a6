package io.duramen.management;

import javax.management.ConstructorParameters;

/**
 * An open connection of a client. Immutable.
 *
 * @param id never used again while the node runs
 * @param user empty before it has logged in
 * @param clientId empty for none
 * @param address of the client
 * @param openedMillis milliseconds since 1970
 */
public record ConnectionRow(long id, String user, String clientId, String address, long openedMillis) {
    @ConstructorParameters({"id", "user", "clientId", "address", "openedMillis"})
    public ConnectionRow {}

    public long getId() {
        return id;
    }

    public String getUser() {
        return user;
    }

    public String getClientId() {
        return clientId;
    }

    public String getAddress() {
        return address;
    }

    public long getOpenedMillis() {
        return openedMillis;
    }
}
