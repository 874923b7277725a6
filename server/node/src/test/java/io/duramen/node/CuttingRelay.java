package io.duramen.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A TCP relay to a port of this machine that cuts its connections when told to, or after so many bytes each. */
final class CuttingRelay implements AutoCloseable {
    private final ServerSocket server;
    private final int to;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile long cutAfterBytes = Long.MAX_VALUE;
    private volatile int cuts;

    CuttingRelay(int to) throws IOException {
        this.to = to;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    String url() {
        return "duramen://127.0.0.1:" + server.getLocalPort();
    }

    /** Each connection is cut when so many bytes have gone through it in one direction. */
    CuttingRelay cutsAfter(long bytes) {
        cutAfterBytes = bytes;
        return this;
    }

    /** Connections cut so far. */
    int cuts() {
        return cuts;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Socket node = new Socket(InetAddress.getLoopbackAddress(), to);
                sockets.add(client);
                sockets.add(node);
                start(() -> pump(client, node));
                start(() -> pump(node, client));
            } catch (IOException e) {
                continue; // closed
            }
        }
    }

    private void pump(Socket from, Socket into) {
        byte[] some = new byte[64 * 1024];
        long passed = 0;
        try (from;
                into) {
            InputStream in = from.getInputStream();
            OutputStream out = into.getOutputStream();
            for (int read = in.read(some); read >= 0; read = in.read(some)) {
                out.write(some, 0, read);
                passed += read;
                if (passed >= cutAfterBytes) {
                    cuts++;
                    return;
                }
            }
        } catch (IOException e) {
            return; // the other direction was cut
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
