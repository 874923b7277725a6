package io.duramen.ra.outbound;

import jakarta.resource.spi.ConnectionRequestInfo;

/**
 * Any thread: immutable. Who an application says that it is (application-managed sign-on).
 *
 * @param user null where it says nothing
 * @param password never printed
 */
record LoginRequest(String user, String password) implements ConnectionRequestInfo {
    static final LoginRequest NOBODY = new LoginRequest(null, null);

    @Override
    public String toString() {
        return "LoginRequest[" + user + "]";
    }
}
