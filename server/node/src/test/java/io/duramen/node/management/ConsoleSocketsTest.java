package io.duramen.node.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
