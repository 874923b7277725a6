package io.duramen.node.management;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.rmi.server.RMIServerSocketFactory;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where consoles connect: TLS and nothing else, on one address. RMI has a thread for each connection, so there are no more than a
 * limit, half of them from one address at most; one from where nobody has called as a user lately ends after a while, and so does one
 * on which nothing comes, or which takes nothing of what it is sent: consoles end those that they do not use themselves, and open
 * others. Thread-safe.
 */
final class ConsoleSockets implements RMIServerSocketFactory {
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleSockets.class);
    private static final int BACKLOG = 50;
    private static final long LOG_EVERY_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** A console's connection for notifications tells of no user by itself; it calls by another at least each minute. */
    private static final long LATELY_NANOS = TimeUnit.MINUTES.toNanos(5);

    private static final int ADDRESSES_MAX = 1000;

    /** The connection from which this thread read last; RMI reads and calls on one thread. */
    private static final ThreadLocal<ConsoleSocket> CURRENT = new ThreadLocal<>();

    private final InetAddress address;
    private final SSLContext context;
    private final int max;
    private final long patienceNanos;
    private final Map<InetAddress, Integer> open = new HashMap<>();

    /** When users called last, by their addresses. */
    private final Map<InetAddress, Long> users = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<InetAddress, Long> eldest) {
            return size() > ADDRESSES_MAX;
        }
    };

    private final Set<ConsoleSocket> served = new HashSet<>();
    private int count;
    private long loggedNanos = System.nanoTime() - LOG_EVERY_NANOS;

    /**
     * @param max most connections at a time, at least 2
     * @param patienceNanos within which somebody logs in, and something comes
     */
    ConsoleSockets(InetAddress address, SSLContext context, int max, long patienceNanos) {
        this.address = address;
        this.context = context;
        this.max = max;
        this.patienceNanos = patienceNanos;
    }

    /** The connection whose call this thread carries out is one of a user. */
    static void ofUser() {
        ConsoleSocket current = CURRENT.get();
        if (current != null) {
            current.calledByUser();
        }
    }

    /** Ends connections that have taken nothing for too long; to be called often enough. No timeout of sockets is for writes. */
    void endStuckWrites() {
        List<ConsoleSocket> all;
        synchronized (this) {
            all = List.copyOf(served);
        }
        all.forEach(ConsoleSocket::endIfStuck);
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
        return new Listener(port);
    }

    private synchronized boolean admit(InetAddress from) {
        int ofAddress = open.getOrDefault(from, 0);
        if (count < max && ofAddress < max / 2) {
            count++;
            open.put(from, ofAddress + 1);
            return true;
        }
        long now = System.nanoTime();
        if (now - loggedNanos >= LOG_EVERY_NANOS) {
            loggedNanos = now;
            LOG.warn(
                    "Connection to remote JMX from {} refused: {} are open, {} of them from there"
                            + " (management.connections-max={}); more are refused without a word for a minute",
                    from,
                    count,
                    ofAddress,
                    max);
        }
        return false;
    }

    private synchronized void userCalls(InetAddress from) {
        users.put(from, System.nanoTime());
    }

    private synchronized boolean isOfUser(InetAddress from) {
        Long last = users.get(from);
        return last != null && System.nanoTime() - last < LATELY_NANOS;
    }

    private synchronized void release(InetAddress from) {
        count--;
        open.computeIfPresent(from, (key, number) -> number == 1 ? null : number - 1);
    }

    private final class Listener extends ServerSocket {
        Listener(int port) throws IOException {
            super(port, BACKLOG, address);
        }

        /** The handshake is not waited for here: it is the connection's own thread that does. */
        @Override
        public Socket accept() throws IOException {
            while (true) {
                ConsoleSocket socket = new ConsoleSocket();
                implAccept(socket);
                try {
                    if (!socket.isAdmitted()) {
                        socket.close();
                        continue;
                    }
                    SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(socket, null, true);
                    secure.setEnabledProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
                    return secure;
                } catch (IOException e) {
                    // It was cut off already: others are still to be let in.
                    LOG.debug("A connection to remote JMX ended while it began", e);
                    socket.close();
                }
            }
        }
    }

    /** One connection, below its TLS. */
    private final class ConsoleSocket extends Socket {
        private final long untilNanos = System.nanoTime() + patienceNanos;
        private InetAddress from;
        private boolean released;

        /** Since when a thread writes, on {@link System#nanoTime}; 0 while none does. */
        private volatile long writingSinceNanos;

        ConsoleSocket() {
            super();
        }

        boolean isAdmitted() {
            InetAddress remote = getInetAddress();
            if (remote == null || !admit(remote)) {
                return false;
            }
            synchronized (this) {
                from = remote;
            }
            synchronized (ConsoleSockets.this) {
                served.add(this);
            }
            return true;
        }

        void endIfStuck() {
            long since = writingSinceNanos;
            if (since != 0 && System.nanoTime() - since >= patienceNanos) {
                LOG.info(
                        "Connection to remote JMX from {} ends: it takes nothing of what it is sent", getInetAddress());
                try {
                    close();
                } catch (IOException e) {
                    LOG.debug("It ends badly", e);
                }
            }
        }

        void calledByUser() {
            userCalls(getInetAddress());
        }

        /** RMI would wait for hours. */
        @Override
        public void setSoTimeout(int millis) throws SocketException {
            long most = TimeUnit.NANOSECONDS.toMillis(patienceNanos);
            super.setSoTimeout((int) (millis == 0 ? most : Math.min(millis, most)));
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read() throws IOException {
                    begin();
                    return super.read();
                }

                @Override
                public int read(byte[] to, int at, int length) throws IOException {
                    begin();
                    return super.read(to, at, length);
                }
            };
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(int b) throws IOException {
                    write(new byte[] {(byte) b}, 0, 1);
                }

                @Override
                public void write(byte[] from, int at, int length) throws IOException {
                    writingSinceNanos = System.nanoTime() | 1;
                    try {
                        out.write(from, at, length);
                    } finally {
                        writingSinceNanos = 0;
                    }
                }
            };
        }

        private void begin() throws IOException {
            CURRENT.set(this);
            long left = isOfUser(getInetAddress()) ? patienceNanos : untilNanos - System.nanoTime();
            if (left <= 0) {
                throw new SocketTimeoutException("nobody has logged in from there");
            }
            setSoTimeout((int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
        }

        @Override
        public void close() throws IOException {
            synchronized (this) {
                if (from != null && !released) {
                    released = true;
                    release(from);
                }
            }
            synchronized (ConsoleSockets.this) {
                served.remove(this);
            }
            super.close();
        }
    }
}
