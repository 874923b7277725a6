package io.duramen.node.security;

import java.util.Optional;

/** Decides who somebody is. Thread-safe. */
public interface Authenticator {
    /** Name of who logs in without a name. */
    String ANONYMOUS = "anonymous";

    boolean isAnonymousAllowed();

    /**
     * Checks a name and a password; may take a tenth of a second of CPU, whether the user exists or not.
     *
     * @return the user; empty where there is no such user, the password is wrong, or either is empty
     */
    Optional<String> authenticate(String user, String password);
}
