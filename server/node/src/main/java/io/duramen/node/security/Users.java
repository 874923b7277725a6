package io.duramen.node.security;

import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows the users of the file and their passwords. Thread-safe. The file is read again when it was replaced.
 *
 * <p>A password that was found right is remembered as a keyed digest, so that the hundred clients which come back after
 * a restart cost one slow hash a user, not one a client. The key is drawn anew in every process and never leaves it.
 */
public final class Users implements Authenticator {
    /** The user that is made at the first start. */
    public static final String ADMIN = "admin";

    /** File of the data directory with the admin's first password. */
    public static final String ADMIN_SECRET_FILE = "admin-secret";

    private static final Logger LOG = LoggerFactory.getLogger(Users.class);
    private static final int SECRET_LENGTH = 24;

    private final UsersFile file;
    private final boolean anonymousAllowed;
    private final PasswordHash nobody;
    private final KeyedDigest digest = new KeyedDigest();
    private final Map<String, byte[]> proven = new ConcurrentHashMap<>();
    private SortedMap<String, PasswordHash> users;
    private Object version;

    public Users(Path dataDirectory, SecurityConfig config) {
        this.file = new UsersFile(dataDirectory);
        this.anonymousAllowed = config.anonymous();
        this.nobody = PasswordHash.ofNobody(config.passwordIterations());
    }

    /**
     * At a node's first start: makes the admin, with a random password in the file {@link #ADMIN_SECRET_FILE}.
     *
     * @return the file, where it was made
     */
    public static Optional<Path> createAdmin(Path dataDirectory, SecurityConfig config) throws IOException {
        UsersFile users = new UsersFile(dataDirectory);
        if (users.exists()) {
            return Optional.empty();
        }
        byte[] random = new byte[SECRET_LENGTH];
        new SecureRandom().nextBytes(random);
        String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        Path secretFile = dataDirectory.resolve(ADMIN_SECRET_FILE);
        // The secret first: after a crash between the two, the next start makes both anew.
        OwnerOnlyFile.replace(secretFile, secret + "\n");
        users.put(ADMIN, secret, config.passwordIterations());
        return Optional.of(secretFile);
    }

    @Override
    public boolean isAnonymousAllowed() {
        return anonymousAllowed;
    }

    @Override
    public Optional<String> authenticate(String user, String password) {
        if (user.isEmpty() || password.isEmpty()) {
            return Optional.empty();
        }
        PasswordHash hash = find(user);
        byte[] shown = digest.of(user, password);
        byte[] known = proven.get(user);
        if (hash != null && known != null && MessageDigest.isEqual(known, shown)) {
            return Optional.of(user);
        }
        // A user that does not exist takes as long as one that does.
        boolean right = (hash == null ? nobody : hash).matches(password);
        if (hash == null || !right) {
            return Optional.empty();
        }
        proven.put(user, shown);
        return Optional.of(user);
    }

    private synchronized PasswordHash find(String user) {
        try {
            Object present = file.version();
            if (!present.equals(version)) {
                users = file.read();
                version = present;
                proven.clear();
            }
        } catch (IOException e) {
            LOG.error("The users cannot be read, so nobody of them can log in: {}", e.getMessage());
            return null;
        }
        return users.get(user);
    }
}
