package io.duramen.node.network;

import io.duramen.node.security.Authenticator;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Protocol;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Authenticate;
import io.duramen.protocol.frame.Hello;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The first two requests of a connection. Confined to its event loop; passwords are checked beside it. */
final class Login {
    private static final Logger LOG = LoggerFactory.getLogger(Login.class);
    private static final String PLAIN = "PLAIN";
    private static final int HEARTBEAT_MILLIS_MIN = 100;
    private static final int HEARTBEAT_MILLIS_MAX = 3_600_000;

    private final NetworkContext context;
    private final Channel channel;

    Login(NetworkContext context, Channel channel) {
        this.context = context;
        this.channel = channel;
    }

    /** @throws ProtocolException where the two cannot talk */
    Hello.Response hello(Hello.Request request) {
        if (request.magic() != Protocol.MAGIC) {
            throw new ProtocolException(ErrorCode.MALFORMED_FRAME, "Hello does not begin with Duramen's magic number");
        }
        context.door().requireOpen();
        int version = Math.min(request.versionMax(), Protocol.VERSION);
        if (version < request.versionMin() || version < Protocol.VERSION_MIN) {
            throw new ProtocolException(
                    ErrorCode.UNSUPPORTED_VERSION,
                    "the client speaks versions " + request.versionMin() + " to " + request.versionMax()
                            + ", this node " + Protocol.VERSION_MIN + " to " + Protocol.VERSION);
        }
        int asked = request.heartbeatMillis();
        int heartbeatMillis = asked == 0
                ? (int) context.config().heartbeat().toMillis()
                : Math.max(HEARTBEAT_MILLIS_MIN, Math.min(asked, HEARTBEAT_MILLIS_MAX));
        return new Hello.Response(
                version,
                context.nodeName(),
                context.config().frameLengthMax().toIntExact(),
                context.config().inFlightMax(),
                heartbeatMillis,
                context.authenticator().isAnonymousAllowed(),
                context.shards().size());
    }

    /**
     * Finds out who it is; where that takes time, beside the event loop.
     *
     * @param outcome called on the event loop with the user, or with nothing where the login failed
     * @throws ProtocolException where the request is not one this node understands
     */
    void authenticate(Authenticate.Request request, Consumer<Optional<String>> outcome) {
        if (!PLAIN.equals(request.mechanism()) || request.user() == null || request.password() == null) {
            throw new ProtocolException(
                    ErrorCode.AUTHENTICATION_FAILED, "the mechanism is not PLAIN, or user or password is absent");
        }
        Authenticator authenticator = context.authenticator();
        if (request.user().isEmpty()) {
            boolean allowed =
                    authenticator.isAnonymousAllowed() && request.password().isEmpty();
            outcome.accept(allowed ? Optional.of(Authenticator.ANONYMOUS) : Optional.empty());
            return;
        }
        long mostNanos = context.config().handshakeTimeout().toNanos();
        long waitNanos = context.throttle().takeTurn(remoteHost(), System.nanoTime(), mostNanos);
        if (waitNanos > mostNanos) {
            LOG.warn("Login from {} refused unseen: too many failed before", channel.remoteAddress());
            outcome.accept(Optional.empty());
        } else if (waitNanos > 0) {
            channel.eventLoop().schedule(() -> check(request, outcome), waitNanos, TimeUnit.NANOSECONDS);
        } else {
            check(request, outcome);
        }
    }

    private void check(Authenticate.Request request, Consumer<Optional<String>> outcome) {
        try {
            context.logins().execute(() -> {
                Optional<String> user = authenticated(request);
                if (user.isEmpty()) {
                    context.throttle().failed(remoteHost(), System.nanoTime());
                    LOG.warn(
                            "Login of user '{}' from {} failed", Printable.of(request.user()), channel.remoteAddress());
                }
                channel.eventLoop().execute(() -> outcome.accept(user));
            });
        } catch (RejectedExecutionException e) {
            LOG.warn("Login from {} refused: too many are being checked", channel.remoteAddress());
            outcome.accept(Optional.empty());
        }
    }

    private Optional<String> authenticated(Authenticate.Request request) {
        try {
            return context.authenticator().authenticate(request.user(), request.password());
        } catch (RuntimeException e) {
            LOG.error("A login could not be checked", e);
            return Optional.empty();
        }
    }

    private String remoteHost() {
        return channel.remoteAddress() instanceof InetSocketAddress inet
                ? inet.getAddress().getHostAddress()
                : "in-JVM";
    }
}
