package io.duramen.jms;

import io.duramen.jms.link.LinkOptions;
import io.duramen.jms.link.NodeAddress;
import io.duramen.jms.message.AllowedClasses;
import io.duramen.jms.publishing.SendAcks;
import io.duramen.jms.session.ConnectionSettings;
import io.duramen.protocol.frame.Attach.Backoff;
import io.duramen.protocol.frame.Publish.Acks;
import java.io.Serializable;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Not thread-safe. Addresses and options as a connection URL says them; only what differs from the default is kept. */
final class ClientOptions implements Serializable {
    static final String DEFAULT_URL = "duramen://localhost";

    private static final long serialVersionUID = 1L;
    private static final String TCP = "duramen://";
    private static final String LOCAL = "duramen+local://";

    private String addresses;
    private final TreeMap<String, String> texts = new TreeMap<>();

    /** @throws IllegalArgumentException where the URL is none, naming the unknown option or the wrong value */
    ClientOptions(String url) {
        url(url);
    }

    /** Takes the addresses and adds the options; those not in the URL stay. */
    void url(String url) {
        int question = url.indexOf('?');
        String where = question < 0 ? url : url.substring(0, question);
        parse(where);
        addresses = where;
        if (question >= 0 && question + 1 < url.length()) {
            for (String pair : url.substring(question + 1).split("&")) {
                int equals = pair.indexOf('=');
                if (equals < 0) {
                    throw new IllegalArgumentException("option " + pair + " has no value");
                }
                set(pair.substring(0, equals), decoded(pair.substring(equals + 1)));
            }
        }
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private void set(String name, String text) {
        ClientOption<?> option = ClientOption.named(name)
                .orElseThrow(() -> new IllegalArgumentException("no option is called " + name + "; there are "
                        + ClientOption.all().stream().map(ClientOption::name).collect(Collectors.joining(", "))));
        setText(option, text);
    }

    private <T> void setText(ClientOption<T> option, String text) {
        T value = option.read(text);
        if (value.equals(option.initial())) {
            texts.remove(option.name());
        } else {
            texts.put(option.name(), text);
        }
    }

    <T> T get(ClientOption<T> option) {
        String text = texts.get(option.name());
        return text == null ? option.initial() : option.read(text);
    }

    /** @param value null for the default */
    <T> void set(ClientOption<T> option, T value) {
        setText(option, String.valueOf(value == null ? option.initial() : value));
    }

    private static List<NodeAddress> parse(String where) {
        if (where.startsWith(LOCAL)) {
            return List.of(new NodeAddress.Local(where.substring(LOCAL.length())));
        }
        if (!where.startsWith(TCP)) {
            throw new IllegalArgumentException(
                    "a connection URL begins with " + TCP + " or " + LOCAL + ", which " + where + " does not");
        }
        List<NodeAddress> nodes = new ArrayList<>();
        for (String node : where.substring(TCP.length()).split(",", -1)) {
            nodes.add(NodeAddress.Tcp.parse(node.trim()));
        }
        return nodes;
    }

    /** @param withSecrets whether the password stands in it */
    String url(boolean withSecrets) {
        String options = texts.entrySet().stream()
                .filter(each -> withSecrets || !each.getKey().equals(ClientOption.PASSWORD.name()))
                .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return options.isEmpty() ? addresses : addresses + "?" + options;
    }

    private Backoff backoff() {
        int delay = get(ClientOption.REDELIVERY_DELAY_MILLIS);
        return delay < 0
                ? Backoff.AS_NODE
                : new Backoff(
                        delay,
                        get(ClientOption.REDELIVERY_MULTIPLIER),
                        Math.max(delay, get(ClientOption.REDELIVERY_DELAY_MAX_MILLIS)));
    }

    private Acks acks(ClientOption<String> option) {
        return switch (get(option)) {
            case "0" -> Acks.NONE;
            case "1" -> Acks.LEADER;
            default -> Acks.ALL;
        };
    }

    ConnectionSettings settings(String user, String password) {
        LinkOptions link = new LinkOptions(
                parse(addresses),
                new LinkOptions.Credentials(user == null ? "" : user, password == null ? "" : password),
                new LinkOptions.Timeouts(
                        get(ClientOption.CONNECT_TIMEOUT_MILLIS),
                        get(ClientOption.REQUEST_TIMEOUT_MILLIS),
                        get(ClientOption.HEARTBEAT_MILLIS)),
                new LinkOptions.Reconnect(
                        get(ClientOption.RECONNECT),
                        get(ClientOption.RECONNECT_DELAY_MILLIS),
                        get(ClientOption.RECONNECT_DELAY_MAX_MILLIS),
                        get(ClientOption.RECONNECT_ATTEMPTS_MAX),
                        get(ClientOption.RECONNECT_TIME_MAX_MILLIS)));
        return new ConnectionSettings(
                link,
                get(ClientOption.CLIENT_ID),
                get(ClientOption.PREFETCH),
                get(ClientOption.PREFETCH_BYTES),
                TimeUnit.MILLISECONDS.toNanos(get(ClientOption.PREFETCH_MILLIS)),
                backoff(),
                get(ClientOption.BATCH_BYTES),
                get(ClientOption.SEND_WINDOW_BYTES),
                new SendAcks(acks(ClientOption.PERSISTENT_ACKS), acks(ClientOption.NON_PERSISTENT_ACKS)),
                get(ClientOption.REPLICAS),
                get(ClientOption.LARGE_BODY_BYTES),
                AllowedClasses.parse(get(ClientOption.ALLOWED_CLASSES)),
                get(ClientOption.USER_ID),
                TimeUnit.MILLISECONDS.toNanos(get(ClientOption.XA_CALL_TIMEOUT_MILLIS)));
    }
}
