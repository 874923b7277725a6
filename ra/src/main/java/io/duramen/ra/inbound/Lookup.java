package io.duramen.ra.inbound;

import jakarta.resource.ResourceException;
import jakarta.resource.spi.InvalidPropertyException;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/** Any thread: holds nothing. Asks the server's JNDI. */
final class Lookup {
    private Lookup() {}

    /** @param property that says the name */
    static Object named(String name, String property) throws ResourceException {
        try {
            return InitialContext.doLookup(name);
        } catch (NamingException e) {
            throw new InvalidPropertyException(property + ": nothing is bound as " + name + ": " + e, e);
        }
    }
}
