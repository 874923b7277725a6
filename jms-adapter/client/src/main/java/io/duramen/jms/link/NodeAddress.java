package io.duramen.jms.link;

import io.duramen.protocol.Protocol;

/** Any thread. Where a node listens. */
public sealed interface NodeAddress {
    /** Over TCP; resolved anew at each attempt to connect. */
    record Tcp(String host, int port) implements NodeAddress {
        public Tcp {
            if (host == null || host.isEmpty() || port < 1 || port > 65_535) {
                throw new IllegalArgumentException("no address: " + host + ":" + port);
            }
        }

        /** @param text {@code host}, {@code host:port} or {@code [v6]:port} */
        public static Tcp parse(String text) {
            int colon = text.lastIndexOf(':');
            boolean withPort = colon > 0 && (text.indexOf(':') == colon || text.charAt(colon - 1) == ']');
            String host = withPort ? text.substring(0, colon) : text;
            if (host.startsWith("[") && host.endsWith("]")) {
                host = host.substring(1, host.length() - 1);
            }
            try {
                return new Tcp(host, withPort ? Integer.parseInt(text.substring(colon + 1)) : Protocol.PORT);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("no port number in " + text, e);
            }
        }

        @Override
        public String toString() {
            return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
        }
    }

    /** Inside this JVM, by the name of a Netty local address. */
    record Local(String name) implements NodeAddress {
        public Local {
            if (name == null || name.isEmpty()) {
                throw new IllegalArgumentException("an in-JVM address needs a name");
            }
        }

        @Override
        public String toString() {
            return "in-JVM " + name;
        }
    }
}
