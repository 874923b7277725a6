package io.duramen.servers;

import java.net.http.HttpClient;

/**
 * Any thread: holds nothing. Asks application servers by HTTP/1.1: with HTTP/2, which Open Liberty is offered otherwise, its
 * executor was seen full of threads that each waited for a write which no thread was left to do (H2InboundLink.writeSync).
 */
final class Http {
    private Http() {}

    static HttpClient client() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }
}
