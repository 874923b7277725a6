package io.duramen.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A TCP relay to a port of this machine. Thread-safe. */
abstract class Relay implements AutoCloseable {
    private final ServerSocket server;
    private final int to;

    /** Begins to accept with {@link #start}. */
    Relay(int to) throws IOException {
        this.to = to;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    final void start() {
        start(this::accept);
    }

    static void start(Runnable task) {
        Thread thread = new Thread(task, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    final String url() {
        return "duramen://127.0.0.1:" + server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                connected(client, new Socket(InetAddress.getLoopbackAddress(), to));
            } catch (IOException e) {
                continue; // closed
            }
        }
    }

    /** On the relay's own thread, one connection after the other. */
    abstract void connected(Socket client, Socket node);

    @Override
    public void close() throws IOException {
        server.close();
    }
}
