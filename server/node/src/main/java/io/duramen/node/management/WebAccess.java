package io.duramen.node.management;

import io.duramen.node.management.Logins.RefusedException;
import io.duramen.node.network.http.HttpDoor;
import io.duramen.node.network.http.HttpDoor.Request;
import io.duramen.node.network.http.HttpDoor.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.net.ssl.SSLContext;
import javax.security.auth.Subject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Management over HTTP, for web consoles, as Jolokia has it: the same users, rights and audit as remote JMX. Without TLS on a
 * loopback address alone. Started and closed by one thread.
 */
final class WebAccess implements AutoCloseable {
    /** Where it is. */
    static final String PATH = "/jolokia";

    private static final Logger LOG = LoggerFactory.getLogger(WebAccess.class);
    private static final int BODY_BYTES = 256 << 10;
    private static final int PATIENCE_SECONDS = 30;
    private static final int THREADS = 2;
    private static final int LOGIN_WAIT_MAX_SECONDS = 1;
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String JSON = "application/json; charset=utf-8";

    private final ManagementConfig config;
    private final Logins logins;
    private final JolokiaGlue jolokia;
    private HttpDoor door;

    WebAccess(ManagementConfig config, Logins logins, MBeanServer server, Audit audit, ObjectName nodeBean) {
        this.config = config;
        this.logins = logins;
        this.jolokia = new JolokiaGlue(GuardedServer.of(config, audit, GuardedServer.pattern(nodeBean)), server);
    }

    /**
     * Opens the port.
     *
     * @return the port
     * @throws IOException where it is to be without TLS outside loopback, or key or port cannot be had
     */
    int start() throws IOException {
        Optional<SSLContext> tls = ManagementKeys.of(config);
        InetAddress address = InetAddress.getByName(config.httpHost());
        if (tls.isEmpty() && !address.isLoopbackAddress()) {
            throw new IOException("management.http-host " + config.httpHost()
                    + " is no loopback address, and management.key-store names no file: passwords would go over the network"
                    + " as they are");
        }
        jolokia.start();
        door = new HttpDoor(
                new HttpDoor.Bounds(config.connectionsMax(), BODY_BYTES, PATIENCE_SECONDS, THREADS), tls, this::answer);
        int port = door.listen(new InetSocketAddress(address, config.httpPort()));
        LOG.info(
                "Management over HTTP (Jolokia) on {}://{}:{}{}",
                tls.isPresent() ? "https" : "http",
                config.httpHost(),
                port,
                PATH);
        return port;
    }

    private Response answer(Request request) {
        URI target;
        try {
            target = new URI(request.target());
        } catch (URISyntaxException e) {
            return text(400, "this is no address: " + e.getMessage());
        }
        String path = Optional.ofNullable(target.getPath()).orElse("");
        if (!path.equals(PATH) && !path.startsWith(PATH + "/")) {
            return text(404, "there is nothing but " + PATH);
        }
        Optional<String> origin = request.header("origin");
        if (!isFromHere(request)) {
            return text(
                    403,
                    "pages of " + origin.orElse("other places") + " may not ask this node (management.http-origins)");
        }
        Map<String, String> headers = new HashMap<>();
        headers.put("Cache-Control", "no-store");
        headers.put("X-Content-Type-Options", "nosniff");
        origin.ifPresent(from -> {
            headers.put("Access-Control-Allow-Origin", from);
            headers.put("Access-Control-Allow-Credentials", "true");
            headers.put("Vary", "Origin");
        });
        return switch (request.method()) {
            case "OPTIONS" -> {
                headers.put("Access-Control-Allow-Methods", "GET, POST");
                headers.put("Access-Control-Allow-Headers", "Authorization, Content-Type");
                yield new Response(204, headers, new byte[0]);
            }
            case "GET", "POST" -> asUser(request, target, headers);
            default -> text(405, "GET and POST are understood");
        };
    }

    /** A browser says which page asks: one of this address or of those that are allowed. Others have no page. */
    private boolean isFromHere(Request request) {
        Optional<String> origin = request.header("origin");
        if (origin.isEmpty()) {
            return !request.header("sec-fetch-site").orElse("none").equals("cross-site");
        }
        String host = request.header("host").orElse("");
        return config.httpOrigins().contains(origin.get())
                || !host.isEmpty()
                        && origin.get().replaceFirst("^https?://", "").equals(host);
    }

    private Response asUser(Request request, URI target, Map<String, String> headers) {
        Optional<String[]> credentials = request.header("authorization").flatMap(WebAccess::basic);
        if (credentials.isEmpty()) {
            return unknown("a user and a password are due", headers);
        }
        Subject subject;
        try {
            subject = logins.login(credentials.get()[0], credentials.get()[1], request.from(), LOGIN_WAIT_MAX_SECONDS);
        } catch (RefusedException e) {
            return e.isForLater() ? text(429, e.getMessage()) : unknown(e.getMessage(), headers);
        }
        try {
            String json = jolokia.answer(subject, request, target);
            headers.put("Content-Type", JSON);
            return new Response(200, headers, json.getBytes(StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return text(400, e.getMessage());
        }
    }

    private static Response unknown(String why, Map<String, String> headers) {
        headers.put("WWW-Authenticate", "Basic realm=\"duramen\", charset=\"UTF-8\"");
        headers.put("Content-Type", TEXT);
        return new Response(401, headers, (why + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static Response text(int status, String text) {
        return new Response(status, Map.of("Content-Type", TEXT), (text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** User and password. */
    private static Optional<String[]> basic(String header) {
        if (!header.regionMatches(true, 0, "Basic ", 0, 6)) {
            return Optional.empty();
        }
        try {
            String pair =
                    new String(Base64.getDecoder().decode(header.substring(6).strip()), StandardCharsets.UTF_8);
            int colon = pair.indexOf(':');
            return colon < 0
                    ? Optional.empty()
                    : Optional.of(new String[] {pair.substring(0, colon), pair.substring(colon + 1)});
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        if (door != null) {
            door.close();
            door = null;
        }
        jolokia.close();
    }
}
