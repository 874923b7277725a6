package io.duramen.node.network.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HttpDoorTest {
    private static final int LONG_ANSWER = 64 << 20; // more than the buffers of both sockets

    private static HttpDoor.Response ok(byte[] body) {
        return new HttpDoor.Response(200, Map.of(), body);
    }

    private static Socket connected(HttpDoor door) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        return new Socket(loopback, door.listen(new InetSocketAddress(loopback, 0)));
    }

    private static void asks(Socket client, String... paths) throws IOException {
        StringBuilder requests = new StringBuilder();
        for (String path : paths) {
            requests.append("GET ").append(path).append(" HTTP/1.1\r\nHost: h\r\n\r\n");
        }
        client.getOutputStream().write(requests.toString().getBytes(US_ASCII));
    }

    @Test
    void shouldAnswerRequestsThatCameTogetherOneAfterTheOther() throws Exception {
        AtomicInteger atOnce = new AtomicInteger();
        List<String> asked = new CopyOnWriteArrayList<>();
        List<Integer> others = new CopyOnWriteArrayList<>();
        CountDownLatch second = new CountDownLatch(1);
        HttpDoor.Bounds bounds = new HttpDoor.Bounds(10, 1024, 30, 4);
        try (HttpDoor door = new HttpDoor(bounds, Optional.empty(), request -> {
                    others.add(atOnce.getAndIncrement());
                    asked.add(request.target());
                    await(request.target().equals("/1") ? second : null); // the others would overtake it
                    atOnce.decrementAndGet();
                    return ok(request.target().getBytes(US_ASCII));
                });
                Socket client = connected(door)) {
            asks(client, "/1", "/2", "/3");
            while (asked.isEmpty()) {
                Thread.onSpinWait();
            }
            second.countDown();
            InputStream in = client.getInputStream();
            StringBuilder got = new StringBuilder();
            while (!got.toString().endsWith("/3")) {
                int next = in.read();
                assertThat(next).as(got.toString()).isNotNegative();
                got.append((char) next);
            }
        }
        assertThat(asked).containsExactly("/1", "/2", "/3");
        assertThat(others).containsOnly(0);
    }

    private static void await(CountDownLatch latch) {
        try {
            if (latch != null && !latch.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nobody released it");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldEndAConnectionWhoseClientDoesNotTakeItsAnswer() throws Exception {
        try (HttpDoor door = new HttpDoor(
                        new HttpDoor.Bounds(1, 1024, 1, 1), Optional.empty(), request -> ok(new byte[LONG_ANSWER]));
                Socket slow = connected(door)) {
            asks(slow, "/");
            // There is room for one connection: another one is answered once the slow one is gone.
            InetSocketAddress address = (InetSocketAddress) slow.getRemoteSocketAddress();
            int first = -1;
            while (first < 0) {
                try (Socket next = new Socket(address.getAddress(), address.getPort())) {
                    asks(next, "/");
                    first = next.getInputStream().read();
                } catch (IOException e) {
                    first = -1; // cut off
                }
            }
            assertThat(first).isEqualTo('H');
        }
    }
}
