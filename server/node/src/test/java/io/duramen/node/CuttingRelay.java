package io.duramen.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A TCP relay to a port of this machine that cuts its connections when told to, or after so many bytes each. */
final class CuttingRelay extends Relay {
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile long cutAfterBytes = Long.MAX_VALUE;
    private volatile int cuts;

    CuttingRelay(int to) throws IOException {
        super(to);
        start();
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

    @Override
    void connected(Socket client, Socket node) {
        sockets.add(client);
        sockets.add(node);
        start(() -> pump(client, node));
        start(() -> pump(node, client));
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
        super.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
