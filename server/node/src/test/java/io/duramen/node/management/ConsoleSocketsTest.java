package io.duramen.node.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duramen.node.TestKeys;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ConsoleSocketsTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    private <T extends AutoCloseable> T kept(T one) {
        open.add(one);
        return one;
    }

    private ServerSocket listener(int max, long patienceMillis) throws Exception {
        return kept(
                new ConsoleSockets(HERE, SSLContext.getDefault(), max, TimeUnit.MILLISECONDS.toNanos(patienceMillis))
                        .createServerSocket(0));
    }

    private Socket connect(ServerSocket to) throws IOException {
        return kept(new Socket(HERE, to.getLocalPort()));
    }

    @Test
    void shouldTurnAwayWhatIsBeyondHalfOfTheLimitFromOneAddress() throws Exception {
        ServerSocket listener = listener(4, 60_000);
        Socket first = connect(listener);
        Socket served = kept(listener.accept());
        connect(listener);
        kept(listener.accept());
        Socket third = connect(listener);
        Socket fourth = connect(listener);
        listener.setSoTimeout(200);
        assertThatThrownBy(listener::accept).isInstanceOf(SocketTimeoutException.class);
        assertThat(third.getInputStream().read()).isEqualTo(-1);
        assertThat(fourth.getInputStream().read()).isEqualTo(-1);
        served.close();
        first.close();
        listener.setSoTimeout(0);
        connect(listener);
        kept(listener.accept());
    }

    @Test
    void shouldEndAConnectionByWhichNobodyLogsInHoweverMuchItSends() throws Exception {
        ServerSocket listener = listener(4, 300);
        Socket client = connect(listener);
        Socket served = kept(listener.accept());
        served.setSoTimeout(0);
        served.setSoTimeout((int) TimeUnit.HOURS.toMillis(2));
        CountDownLatch done = new CountDownLatch(1);
        Thread trickle = new Thread(() -> trickle(client, done));
        trickle.start();
        assertThatThrownBy(() -> served.getInputStream().read())
                .isInstanceOf(IOException.class)
                .hasStackTraceContaining("SocketTimeoutException");
        done.countDown();
        trickle.join();
    }

    private static SSLContext keys(Path directory) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(TestKeys.in(directory))) {
            keys.load(in, "changeit".toCharArray());
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, "changeit".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
    }

    /** RMI has a thread for each connection, which would write to it for ever. */
    @Test
    void shouldEndAConnectionThatTakesNothingOfWhatItIsSent(@TempDir Path directory) throws Exception {
        ConsoleSockets sockets = new ConsoleSockets(HERE, keys(directory), 4, TimeUnit.MILLISECONDS.toNanos(2_000));
        ServerSocket listener = kept(sockets.createServerSocket(0));
        SSLSocket client =
                (SSLSocket) kept(SSLContext.getDefault().getSocketFactory().createSocket());
        client.connect(listener.getLocalSocketAddress());
        Socket served = kept(listener.accept());
        CompletableFuture<Void> written = CompletableFuture.runAsync(() -> {
            try {
                OutputStream out = served.getOutputStream();
                while (true) {
                    out.write(new byte[1 << 20]);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        client.startHandshake();
        assertThat(client.getInputStream().read()).isZero();
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            sockets.endStuckWrites();
            assertThat(written).isCompletedExceptionally();
        });
    }

    /** The beginning of a TLS record of 16 KiB, byte by byte. */
    private static void trickle(Socket client, CountDownLatch done) {
        try {
            client.getOutputStream().write(new byte[] {22, 3, 1, 64, 0});
            while (!done.await(20, TimeUnit.MILLISECONDS)) {
                client.getOutputStream().write(0);
            }
        } catch (IOException | InterruptedException cutOff) {
            // That is what is wanted.
        }
    }
}
