package io.duramen.servers;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Does something when an application asks for it by HTTP, and answers when it is done. */
final class Asked implements AutoCloseable {
    /** On a thread of its own. */
    interface Action {
        void run() throws Exception;
    }

    private final HttpServer server;

    private Asked(HttpServer server) {
        this.server = server;
    }

    static Asked to(Action action) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                action.run();
                exchange.sendResponseHeaders(204, -1);
            } catch (Exception e) {
                throw new IOException(e);
            }
        });
        server.start();
        return new Asked(server);
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
