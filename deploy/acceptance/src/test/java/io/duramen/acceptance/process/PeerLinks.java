package io.duramen.acceptance.process;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The network between the nodes of a cluster, for a test to break: the others reach a node through its gate, which hears by the
 * greeting who calls. What one says to another is held back while that direction is cut, and comes late where it is slow; as with TCP
 * nothing is lost or changes its place for that, and what was held back arrives in the end. A connection that is dialed meanwhile is
 * accepted and stays mute. Any thread; {@link #close} ends all connections.
 */
public final class PeerLinks implements AutoCloseable {
    /** Holds back whatever comes. */
    private static final Duration CUT = Duration.ofSeconds(Long.MAX_VALUE);

    private static final int GREETING_MAX = 4096;
    private static final int MAGIC_AND_VERSION = 10;
    private static final int FRAME_HEAD = 10;
    private static final int CHUNK_BYTES = 64 << 10;

    private record Direction(String from, String to) {}

    private final Map<Direction, Duration> delays = new HashMap<>();
    private final List<ServerSocket> gates = new ArrayList<>();
    private final List<Socket> sockets = new ArrayList<>();
    private boolean closed;

    /**
     * Opens the way to a node that listens on a port of loopback, now or later.
     *
     * @return the port where the others have to reach it
     */
    int gate(String node, int port) {
        try {
            ServerSocket gate = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            synchronized (this) {
                gates.add(gate);
            }
            start("gate-" + node, () -> accept(gate, node, port));
            return gate.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException("no port for the others of " + node, e);
        }
    }

    /** Nothing that the first says reaches the second. */
    public synchronized void cut(String from, String to) {
        delays.put(new Direction(from, to), CUT);
    }

    /** What the first says reaches the second later by so much. */
    public synchronized void slow(String from, String to, Duration by) {
        delays.put(new Direction(from, to), by);
    }

    /** All is as it should be. */
    public synchronized void heal() {
        delays.clear();
        notifyAll();
    }

    private void accept(ServerSocket gate, String node, int port) throws IOException {
        while (true) {
            Socket caller = gate.accept();
            start("caller-of-" + node, () -> serve(caller, node, port));
        }
    }

    private void serve(Socket caller, String node, int port) throws IOException {
        try (caller;
                Socket called = new Socket()) {
            keep(caller);
            keep(called);
            DataInputStream in = new DataInputStream(caller.getInputStream());
            byte[] greeting = greeting(in);
            Direction there = new Direction(from(greeting), node);
            awaitPassage(there, System.nanoTime());
            called.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            called.setTcpNoDelay(true);
            caller.setTcpNoDelay(true);
            called.getOutputStream().write(greeting);
            start("answers-of-" + node, () -> {
                try (caller;
                        called) {
                    pass(called.getInputStream(), caller.getOutputStream(), new Direction(node, there.from));
                }
            });
            pass(in, called.getOutputStream(), there);
        } finally {
            forget(caller);
        }
    }

    private synchronized void keep(Socket socket) throws IOException {
        if (closed) {
            socket.close();
            throw new IOException("closed");
        }
        sockets.removeIf(Socket::isClosed);
        sockets.add(socket);
    }

    private synchronized void forget(Socket socket) {
        sockets.remove(socket);
    }

    /** The first frame, whole. */
    private static byte[] greeting(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < FRAME_HEAD + MAGIC_AND_VERSION || length > GREETING_MAX + FRAME_HEAD) {
            throw new IOException("a greeting of " + length + " bytes");
        }
        ByteBuffer frame = ByteBuffer.allocate(Integer.BYTES + length).putInt(length);
        in.readFully(frame.array(), Integer.BYTES, length);
        return frame.array();
    }

    /** The second of the texts behind magic number and version. */
    private static String from(byte[] frame) {
        ByteBuffer in = ByteBuffer.wrap(frame);
        in.position(Integer.BYTES + FRAME_HEAD + MAGIC_AND_VERSION);
        in.position(in.position() + Short.BYTES + in.getShort(in.position()));
        byte[] name = new byte[in.getShort()];
        in.get(name);
        return new String(name, StandardCharsets.UTF_8);
    }

    private void pass(InputStream in, OutputStream out, Direction direction) throws IOException {
        byte[] chunk = new byte[CHUNK_BYTES];
        for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
            awaitPassage(direction, System.nanoTime());
            out.write(chunk, 0, read);
        }
    }

    private synchronized void awaitPassage(Direction direction, long sinceNanos) throws IOException {
        try {
            for (long left = left(direction, sinceNanos); left > 0; left = left(direction, sinceNanos)) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private long left(Direction direction, long sinceNanos) {
        Duration delay = closed ? Duration.ZERO : delays.getOrDefault(direction, Duration.ZERO);
        return delay.equals(CUT) ? Long.MAX_VALUE : delay.toNanos() - (System.nanoTime() - sinceNanos);
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // One of the two has ended, or all is closed: the other is told by its end of the connection.
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
        try {
            for (ServerSocket gate : gates) {
                gate.close();
            }
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
