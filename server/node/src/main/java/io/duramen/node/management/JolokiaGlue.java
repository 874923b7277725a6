package io.duramen.node.management;

import io.duramen.node.network.http.HttpDoor.Request;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.management.MBeanServer;
import javax.management.remote.MBeanServerForwarder;
import javax.security.auth.Subject;
import org.jolokia.core.api.LogHandler;
import org.jolokia.json.JSONArray;
import org.jolokia.json.JSONStructure;
import org.jolokia.json.parser.JSONParser;
import org.jolokia.json.parser.ParseException;
import org.jolokia.server.core.config.ConfigKey;
import org.jolokia.server.core.config.StaticConfiguration;
import org.jolokia.server.core.http.HttpRequestHandler;
import org.jolokia.server.core.request.BadRequestException;
import org.jolokia.server.core.request.EmptyResponseException;
import org.jolokia.server.core.restrictor.AllowAllRestrictor;
import org.jolokia.server.core.service.JolokiaServiceManagerFactory;
import org.jolokia.server.core.service.api.JolokiaServiceManager;
import org.jolokia.server.core.util.RequestType;
import org.jolokia.server.core.util.SubjectAccessProvider;
import org.jolokia.service.serializer.JolokiaSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has Jolokia carry out requests on the MBean server that {@link GuardedServer} shows, in a user's name. Of Jolokia's services
 * there are those that this needs: nothing is discovered, no other JVM is asked, no request is forwarded. Thread-safe but for start
 * and end.
 */
final class JolokiaGlue implements AutoCloseable {
    private static final int REQUESTS_MAX = 100;
    private static final Set<RequestType> TYPES =
            EnumSet.of(RequestType.READ, RequestType.LIST, RequestType.SEARCH, RequestType.EXEC, RequestType.VERSION);

    private final MBeanServerForwarder guarded;
    private JolokiaServiceManager services;
    private HttpRequestHandler requests;

    /** @param server of the JVM */
    JolokiaGlue(MBeanServerForwarder guarded, MBeanServer server) {
        this.guarded = guarded;
        guarded.setMBeanServer(server);
    }

    void start() {
        StaticConfiguration configuration = new StaticConfiguration(
                ConfigKey.AGENT_ID, "duramen-" + UUID.randomUUID(),
                ConfigKey.DISABLE_DETECTORS, "true",
                ConfigKey.DISCOVERY_ENABLED, "false",
                ConfigKey.ALLOW_ERROR_DETAILS, "false",
                ConfigKey.INCLUDE_REQUEST, "true");
        services = JolokiaServiceManagerFactory.createJolokiaServiceManager(
                configuration, new Log(), new SomeRequests(), null);
        services.addService(new JolokiaSerializer());
        services.addService(new GuardedRequests(guarded, TYPES));
        requests = new HttpRequestHandler(services.start());
    }

    /**
     * @return the answer, also where the node refuses
     * @throws IllegalArgumentException where it cannot be read
     */
    String answer(Subject user, Request request, URI target) {
        try {
            return SubjectAccessProvider.getSubjectAccess()
                    .callAs(user, () -> answer(request, target).toJSONString());
        } catch (BadRequestException | EmptyResponseException e) {
            throw new IllegalArgumentException(
                    e.getMessage() == null ? "this is no request that is understood" : e.getMessage(), e);
        } catch (StackOverflowError e) {
            throw new IllegalArgumentException("this is nested too deep", e);
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (Exception e) {
            return requests.handleThrowable(e).toJSONString();
        }
    }

    private JSONStructure answer(Request request, URI target)
            throws IOException, BadRequestException, EmptyResponseException {
        Map<String, String[]> parameters = parameters(target.getRawQuery());
        if (request.method().equals("GET")) {
            String path = target.getPath().substring(WebAccess.PATH.length()).replaceFirst("^/", "");
            return requests.handleGetRequest(request.target(), path, parameters);
        }
        requireFew(request.body());
        return requests.handlePostRequest(
                request.target(), new ByteArrayInputStream(request.body()), "UTF-8", parameters);
    }

    /** All answers to a body are in memory at once. */
    private static void requireFew(byte[] body) throws IOException {
        try {
            if (new JSONParser().parse(new String(body, StandardCharsets.UTF_8)) instanceof JSONArray many
                    && many.size() > REQUESTS_MAX) {
                throw new IllegalArgumentException(
                        many.size() + " requests at once; at most " + REQUESTS_MAX + " are carried out");
            }
        } catch (ParseException e) {
            throw new IllegalArgumentException("this is no JSON: " + e.getMessage(), e);
        }
    }

    private static Map<String, String[]> parameters(String query) {
        Map<String, String[]> parameters = new HashMap<>();
        if (query != null) {
            for (String one : query.split("&")) {
                String[] pair = one.split("=", 2);
                parameters.putIfAbsent(
                        URLDecoder.decode(pair[0], StandardCharsets.UTF_8),
                        new String[] {pair.length == 1 ? "" : URLDecoder.decode(pair[1], StandardCharsets.UTF_8)});
            }
        }
        return parameters;
    }

    /** What is let through is said by {@link GuardedServer}, of the requests that there are here. */
    private static final class SomeRequests extends AllowAllRestrictor {
        @Override
        public boolean isTypeAllowed(RequestType type) {
            return TYPES.contains(type);
        }
    }

    /** To the node's log. */
    private static final class Log implements LogHandler {
        private static final Logger LOG = LoggerFactory.getLogger(JolokiaGlue.class);

        @Override
        public void debug(String message) {
            LOG.debug("{}", message);
        }

        @Override
        public void info(String message) {
            LOG.debug("{}", message);
        }

        @Override
        public void error(String message, Throwable cause) {
            LOG.warn("{}", message, cause);
        }

        @Override
        public boolean isDebug() {
            return false;
        }
    }

    @Override
    public void close() {
        if (services != null) {
            services.stop();
            services = null;
        }
    }
}
