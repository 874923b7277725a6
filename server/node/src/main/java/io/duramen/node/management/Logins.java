package io.duramen.node.management;

import io.duramen.node.security.Authenticator;
import io.duramen.node.security.KeyedDigest;
import io.duramen.node.security.LoginThrottle;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.management.remote.JMXPrincipal;
import javax.security.auth.Subject;

/**
 * Lets users of the node in who have a right to management, from other processes; slows down who guesses, and nobody who was let in
 * from the same address with the same password before: web consoles log in with each request. Thread-safe.
 */
final class Logins {
    private static final int PROVEN_MAX = 1000;
    private static final long TOLD_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ManagementConfig config;
    private final Authenticator authenticator;
    private final Audit audit;
    private final LoginThrottle throttle = new LoginThrottle();
    private final KeyedDigest digest = new KeyedDigest();
    private final AtomicLong toldNanos = new AtomicLong(System.nanoTime() - TOLD_EVERY_NANOS);

    /** Digests of what was right from where, the latest last: the users themselves know nothing of addresses. */
    private final Set<String> proven = Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > PROVEN_MAX;
        }
    });

    Logins(ManagementConfig config, Authenticator authenticator, Audit audit) {
        this.config = config;
        this.authenticator = authenticator;
        this.audit = audit;
    }

    /** Nobody comes in so. */
    static final class RefusedException extends SecurityException {
        private static final long serialVersionUID = 1L;

        private final boolean later;

        RefusedException(String why, boolean later) {
            super("login refused: " + why);
            this.later = later;
        }

        /** Whether it was refused for too many attempts before it, whatever the password. */
        boolean isForLater() {
            return later;
        }
    }

    /**
     * @param host from where, as {@link Caller#host} is to tell it
     * @param waitMaxSeconds longest wait for its turn, after logins from there that failed
     * @return with the user's name, and the host
     * @throws RefusedException where it is no user with a right
     */
    Subject login(String user, String password, String host, int waitMaxSeconds) {
        String shown = Base64.getEncoder().encodeToString(digest.of(user, host, password));
        long most = TimeUnit.SECONDS.toNanos(waitMaxSeconds);
        long wait = isProven(shown) ? 0 : throttle.takeTurn(host, System.nanoTime(), most);
        if (wait > most) {
            throw refusedUnseen(user, host);
        }
        for (long until = System.nanoTime() + wait; until - System.nanoTime() > 0; ) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
        Optional<String> known = authenticator.authenticate(user, password);
        prove(shown, known.isPresent());
        if (known.isEmpty()) {
            throttle.failed(host, System.nanoTime());
            throw refused(user, host, new RefusedException("user or password is wrong", false));
        }
        if (Right.of(config, known.get()).isEmpty()) {
            throw refused(user, host, new RefusedException("the user has no right to management", false));
        }
        return new Subject(true, Set.of(new JMXPrincipal(known.get())), Set.of(new Caller.FromHost(host)), Set.of());
    }

    /** The first of them in a while leaves a line: there may be as many as the network carries. */
    private RefusedException refusedUnseen(String user, String host) {
        RefusedException why = new RefusedException("too many logins failed before", true);
        long now = System.nanoTime();
        long last = toldNanos.get();
        return now - last >= TOLD_EVERY_NANOS && toldNanos.compareAndSet(last, now) ? refused(user, host, why) : why;
    }

    private boolean isProven(String digest) {
        synchronized (proven) {
            return proven.contains(digest);
        }
    }

    private void prove(String digest, boolean right) {
        synchronized (proven) {
            if (right) {
                proven.add(digest);
            } else {
                proven.remove(digest);
            }
        }
    }

    /** Refuses what is no login at all. */
    RefusedException refused(String user, String host, RefusedException why) {
        audit.refused(user + " from " + host, "login", why.getMessage());
        return why;
    }
}
