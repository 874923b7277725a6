package io.duramen.node;

import static io.duramen.node.ManagedNode.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.management.DestinationsMXBean;
import io.duramen.management.ManagementNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jolokia.json.JSONArray;
import org.jolokia.json.JSONObject;
import org.jolokia.json.parser.JSONParser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a web console does: Jolokia's protocol over HTTPS, as users of the node. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebConsoleTest {
    @TempDir
    private static Path data;

    private ManagedNode node;
    private AuditTrail audit;
    private HttpClient client;
    private int port;

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @BeforeAll
    void start() throws Exception {
        port = freePort();
        node = new ManagedNode(
                data,
                Map.of(
                        "management.http",
                        "true",
                        "management.http-port",
                        "" + port,
                        "management.http-origins",
                        "https://console.example"));
        audit = new AuditTrail(node.name);
        client = HttpClient.newBuilder()
                .sslContext(SSLContext.getDefault())
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    @AfterAll
    void stop() throws Exception {
        audit.close();
        node.close();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path));
    }

    private static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    private HttpResponse<String> sends(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private JSONObject asks(String user, JSONObject question) throws Exception {
        HttpResponse<String> answer = sends(request("/jolokia")
                .header("Authorization", basic(user, PASSWORD))
                .POST(BodyPublishers.ofString(question.toJSONString())));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return (JSONObject) new JSONParser().parse(answer.body());
    }

    private static JSONObject question(String type, String bean, Object... more) {
        JSONObject question = new JSONObject();
        question.put("type", type);
        question.put("mbean", bean);
        for (int i = 0; i < more.length; i += 2) {
            question.put(more[i].toString(), more[i + 1]);
        }
        return question;
    }

    private String bean(String type) {
        return ManagementNames.of(type, node.name).toString();
    }

    private JSONObject calls(String user, String type, String operation, Object... arguments) throws Exception {
        JSONArray all = new JSONArray();
        all.addAll(List.of(arguments));
        return asks(user, question("exec", bean(type), "operation", operation, "arguments", all));
    }

    private static void isRefused(JSONObject answer, String why) {
        assertThat(answer.get("status")).as(answer.toJSONString()).isIn(403L, 403);
        assertThat(answer.get("error").toString()).contains(why);
        assertThat(answer).doesNotContainKey("stacktrace");
    }

    private static void isDone(JSONObject answer) {
        assertThat(answer.get("status")).as(answer.toJSONString()).isIn(200L, 200);
    }

    @Test
    void shouldShowWhatTheNodeShows() throws Exception {
        JSONObject name = asks("vera", question("read", bean("Node"), "attribute", "Name"));
        isDone(name);
        assertThat(name.get("value")).isEqualTo(node.name);
        HttpResponse<String> got = sends(request("/jolokia/read/" + bean("Node") + "/Shards")
                .header("Authorization", basic("vera", PASSWORD))
                .GET());
        assertThat(((JSONObject) new JSONParser().parse(got.body())).get("value"))
                .isNotNull();
        assertThat(got.headers().firstValue("cache-control")).hasValue("no-store");
        isDone(calls("vera", "Destinations", "list", "", "", 10));
    }

    @Test
    void shouldDoWhatTheUserHasTheRightTo() throws Exception {
        isRefused(
                calls("vera", "Destinations", "create", "web", "QUEUE", 2),
                "Destinations.create: it needs the right OPERATE");
        assertThat(audit.last()).startsWith("vera from 127.0.0.1: ").contains("refused: ");
        isDone(calls("olga", "Destinations", "create", "web", "QUEUE", 2));
        assertThat(audit.last()).startsWith("olga from 127.0.0.1: ").contains("creation of QUEUE 'web'", "done");
        JSONObject properties = new JSONObject();
        properties.put("region", "north");
        isDone(calls("olga", "Messages", "send", "web", "a text", properties, 4, 0));
        JSONObject page = calls("olga", "Messages", "browse", "web", "region = 'north'", "", 9);
        assertThat(page.toJSONString()).contains("a text", "north");
        isRefused(calls("olga", "Destinations", "purge", "web", "", 9), "it needs the right ADMINISTER");
        JSONObject purged = calls("anna", "Destinations", "purge", "web", "", 9);
        assertThat(((JSONObject) purged.get("value")).get("done").toString()).isEqualTo("1");
        JSONObject none = calls("anna", "Destinations", "delete", "none");
        assertThat(none.get("error").toString()).contains("no destination 'none'");
    }

    @Test
    void shouldLetNobodyInWithoutUserPasswordAndRight() throws Exception {
        HttpResponse<String> stranger = sends(request("/jolokia/version").GET());
        assertThat(stranger.statusCode()).isEqualTo(401);
        assertThat(stranger.headers().firstValue("www-authenticate").orElseThrow())
                .startsWith("Basic ");
        for (String wrong :
                List.of(basic("vera", "wrong"), basic("nobody", PASSWORD), "Basic ???", "Bearer x", basic("", ""))) {
            assertThat(sends(request("/jolokia/version")
                                    .header("Authorization", wrong)
                                    .GET())
                            .statusCode())
                    .as(wrong)
                    .isIn(401, 429);
        }
        assertThat(audit.last()).contains("login", "refused: ");
        assertThat(sends(request("/").GET()).statusCode()).isEqualTo(404);
        assertThat(sends(request("/jolokia/version")
                                .header("Authorization", basic("vera", "a guess"))
                                .GET())
                        .statusCode())
                .isIn(401, 429);
    }

    @Test
    void shouldCarryOutABoundedNumberOfRequestsAtOnce() throws Exception {
        JSONArray many = new JSONArray();
        for (int i = 0; i < 100; i++) {
            many.add(question("read", bean("Node"), "attribute", "Name"));
        }
        HttpRequest.Builder request = request("/jolokia").header("Authorization", basic("vera", PASSWORD));
        assertThat(sends(request.copy().POST(BodyPublishers.ofString(many.toJSONString())))
                        .statusCode())
                .isEqualTo(200);
        many.add(many.get(0));
        HttpResponse<String> tooMany = sends(request.copy().POST(BodyPublishers.ofString(many.toJSONString())));
        assertThat(tooMany.statusCode()).isEqualTo(400);
        assertThat(tooMany.body()).contains("101 requests at once; at most 100");
    }

    @Test
    void shouldShowNoOtherMBeans() throws Exception {
        isRefused(
                asks("anna", question("read", "java.lang:type=Memory", "attribute", "HeapMemoryUsage")),
                "it is no MXBean of this node");
        JSONObject search = asks("anna", question("search", "*:*"));
        assertThat((JSONArray) search.get("value"))
                .isNotEmpty()
                .allSatisfy(one ->
                        assertThat(one.toString()).startsWith("io.duramen:").contains("node=" + node.name));
        JSONObject list = asks("anna", question("list", ""));
        assertThat(((JSONObject) list.get("value")).keySet()).isEqualTo(Set.of("io.duramen"));
        assertThat(asks("anna", question("read", "*:*")).toJSONString()).doesNotContain("java.lang");
    }

    @Test
    void shouldCallNothingThatTakesClassesAddressesOrPaths() throws Exception {
        Object[] calls = {
            "com.sun.management:type=DiagnosticCommand",
            "jvmtiAgentLoad",
            "/tmp/agent.so",
            "com.sun.management:type=DiagnosticCommand",
            "compilerDirectivesAdd",
            "/etc/passwd",
            "com.sun.management:type=HotSpotDiagnostic",
            "dumpHeap",
            "/tmp/heap",
            "java.util.logging:type=Logging",
            "getLoggerLevel",
            "x",
            "JMImplementation:type=MBeanServerDelegate",
            "toString",
            "x",
            bean("Destinations"),
            "getClass",
            "java.lang.Runtime"
        };
        for (int i = 0; i < calls.length; i += 3) {
            JSONArray arguments = new JSONArray();
            arguments.add(calls[i + 2]);
            JSONObject answer = asks(
                    "anna", question("exec", calls[i].toString(), "operation", calls[i + 1], "arguments", arguments));
            assertThat(answer.get("status").toString())
                    .as(answer.toJSONString())
                    .isNotEqualTo("200");
        }
        isRefused(asks("anna", question("write", bean("Node"), "attribute", "Name", "value", "x")), "not");
        JSONObject notification = question("notification", bean("Alerts"), "command", "register");
        isRefused(asks("anna", notification), "not");
    }

    @Test
    void shouldAskNoOtherServer() throws Exception {
        try (ServerSocket elsewhere = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            JSONObject target = new JSONObject();
            target.put("url", "service:jmx:rmi:///jndi/rmi://127.0.0.1:" + elsewhere.getLocalPort() + "/jmxrmi");
            JSONObject answer = asks(
                    "anna",
                    question("read", "java.lang:type=Memory", "attribute", "HeapMemoryUsage", "target", target));
            isRefused(answer, "it is no MXBean of this node");
            elsewhere.setSoTimeout(100);
            assertThatThrownBy(elsewhere::accept).isInstanceOf(java.net.SocketTimeoutException.class);
        }
    }

    @Test
    void shouldDoNothingForPagesOfOtherPlaces() throws Exception {
        String exec = "/jolokia/exec/" + bean("Destinations") + "/pause/orders";
        HttpResponse<String> link = sends(
                request(exec).header("Authorization", basic("anna", PASSWORD)).GET());
        assertThat(link.body()).contains("called by POST alone");
        for (String[] header : List.of(
                new String[] {"Origin", "https://evil.example"}, new String[] {"Sec-Fetch-Site", "cross-site"})) {
            assertThat(sends(request("/jolokia/version")
                                    .header("Authorization", basic("anna", PASSWORD))
                                    .header(header[0], header[1])
                                    .GET())
                            .statusCode())
                    .isEqualTo(403);
        }
        HttpResponse<String> console = sends(request("/jolokia")
                .header("Origin", "https://console.example")
                .method("OPTIONS", BodyPublishers.noBody()));
        assertThat(console.statusCode()).isEqualTo(204);
        assertThat(console.headers().firstValue("access-control-allow-origin")).hasValue("https://console.example");
    }

    @Test
    void shouldRefuseWhatItCannotRead() throws Exception {
        for (String body : List.of("{", "7", "{\"type\":\"explode\"}", "[".repeat(10_000))) {
            assertThat(sends(request("/jolokia")
                                    .header("Authorization", basic("anna", PASSWORD))
                                    .POST(BodyPublishers.ofString(body)))
                            .statusCode())
                    .as(body.substring(0, 1))
                    .isIn(200, 400);
        }
        assertThat(sends(request("/jolokia")
                                .header("Authorization", basic("anna", PASSWORD))
                                .POST(BodyPublishers.ofString("x".repeat(300_000))))
                        .statusCode())
                .isEqualTo(413);
        isDone(calls("vera", "Destinations", "list", "", "", 10));
    }

    @Test
    void shouldServeLoopbackAloneWithoutTls() throws Exception {
        int plain = freePort();
        Duramen.Builder builder = TestNodes.quick()
                .setting("management.http", "true")
                .setting("management.connections-max", "2")
                .setting("management.http-port", "" + plain);
        try (Duramen other = builder.start()) {
            assertThat(other.port()).isPositive();
            HttpResponse<String> answer =
                    sends(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + plain + "/jolokia/version"))
                            .GET());
            assertThat(answer.statusCode()).isEqualTo(401);
            List<Socket> open = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                open.add(new Socket(InetAddress.getLoopbackAddress(), plain));
            }
            assertThat(open.get(2).getInputStream().read()).isEqualTo(-1); // beyond the limit
            for (Socket one : open) {
                one.close();
            }
        }
        assertThatThrownBy(() -> TestNodes.quick()
                        .setting("management.http", "true")
                        .setting("management.http-host", "0.0.0.0")
                        .start())
                .hasMessageContaining("management.key-store");
    }

    @Test
    void shouldOfferTheSameOperationsAsRemoteJmx() throws Exception {
        JSONObject list = asks("vera", question("list", bean("Destinations")));
        for (var method : DestinationsMXBean.class.getMethods()) {
            if (!method.getName().startsWith("get")) {
                assertThat(list.toJSONString()).contains("\"" + method.getName() + "\"");
            }
        }
    }
}
