package io.duramen.ra.address;

import io.duramen.jms.DuramenXAConnectionFactory;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.InvalidPropertyException;
import java.io.Serializable;

/**
 * Any thread: immutable. Where the node is, and who logs in.
 *
 * @param url with the client's options; null where it is not said here
 * @param user null where it is not said here
 * @param password null where it is not said here; never printed
 */
public record NodeLogin(String url, String user, String password) implements Serializable {
    /** Where nothing is said at all. */
    public static final NodeLogin UNSAID = new NodeLogin(null, null, null);

    private static final String DEFAULT_URL = "duramen://localhost";

    /** An empty text says as little as none: so tools write what their user left out. */
    public NodeLogin {
        url = emptyAsNull(url);
        user = emptyAsNull(user);
        password = password == null || password.isEmpty() ? null : password;
    }

    private static String emptyAsNull(String text) {
        return text == null || text.isBlank() ? null : text.trim();
    }

    /** What is said here, and for the rest what is said there. A password belongs to the user that is said beside it. */
    public NodeLogin orElse(NodeLogin there) {
        boolean own = user != null;
        return new NodeLogin(url != null ? url : there.url, own ? user : there.user, own ? password : there.password);
    }

    /** Another node for the same one, with the options that are said here. */
    public NodeLogin at(String otherUrl) {
        int options = url == null ? -1 : url.indexOf('?');
        return new NodeLogin(options < 0 ? otherUrl : otherUrl + url.substring(options), user, password);
    }

    /** The same node for somebody else; for the same one where nobody is named. */
    public NodeLogin as(String otherUser, String otherPassword) {
        return emptyAsNull(otherUser) == null ? this : new NodeLogin(url, otherUser, otherPassword);
    }

    /** @throws ResourceException for a URL that is none; the message names the option that is unknown or wrong */
    public DuramenXAConnectionFactory factory() throws ResourceException {
        try {
            DuramenXAConnectionFactory factory = new DuramenXAConnectionFactory(url == null ? DEFAULT_URL : url);
            if (user != null) {
                factory.setUser(user);
                factory.setPassword(password);
            }
            return factory;
        } catch (IllegalArgumentException e) {
            throw new InvalidPropertyException("serverUrl: " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return (user == null ? "" : user + " at ") + (url == null ? DEFAULT_URL : url.replaceAll("\\?.*", ""));
    }
}
