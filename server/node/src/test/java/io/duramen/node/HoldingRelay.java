package io.duramen.node;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;

/**
 * A TCP relay to a port of this machine, as a network that loses sight of a client for a while: what the first connection
 * sends can be kept, the client be cut off from it, and the rest reach the node later. Later connections are left alone.
 * Thread-safe.
 */
final class HoldingRelay extends Relay {
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private final CountDownLatch ended = new CountDownLatch(1);
    private Socket client;
    private Socket node;
    private boolean holds;
    private boolean isCut;

    HoldingRelay(int to) throws IOException {
        super(to);
        start();
    }

    @Override
    void connected(Socket from, Socket into) {
        boolean first;
        synchronized (this) {
            first = client == null;
            if (first) {
                client = from;
                node = into;
            }
        }
        if (first) {
            start(() -> relayHeld(from, into));
            start(() -> relayUntilNodeEnds(into, from));
        } else {
            start(() -> relay(from, into));
            start(() -> relay(into, from));
        }
    }

    private void relay(Socket from, Socket into) {
        try (from;
                into) {
            from.getInputStream().transferTo(into.getOutputStream());
        } catch (IOException e) {
            return; // the other direction has ended
        }
    }

    private void relayHeld(Socket from, Socket into) {
        byte[] some = new byte[64 * 1024];
        try {
            InputStream in = from.getInputStream();
            for (int read = in.read(some); read >= 0; read = in.read(some)) {
                synchronized (this) {
                    (holds ? held : into.getOutputStream()).write(some, 0, read);
                    notifyAll();
                }
            }
        } catch (IOException e) {
            return; // cut
        }
    }

    private void relayUntilNodeEnds(Socket from, Socket into) {
        byte[] some = new byte[64 * 1024];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = into.getOutputStream();
            for (int read = in.read(some); read >= 0; read = in.read(some)) {
                synchronized (this) {
                    if (!isCut) {
                        out.write(some, 0, read);
                    }
                }
            }
        } catch (IOException e) {
            // It was reset.
        }
        ended.countDown();
    }

    /** From now on what the first connection sends is kept. */
    synchronized void hold() {
        holds = true;
    }

    /** Returns when so many bytes are kept. */
    synchronized void awaitHeld(int bytes) throws InterruptedException {
        while (held.size() < bytes) {
            wait();
        }
    }

    /** What was kept reaches the node, and the rest as it comes. */
    synchronized void resume() throws IOException {
        node.getOutputStream().write(held.toByteArray());
        holds = false;
    }

    /** The client loses its first connection; the node does not hear of it. */
    synchronized void cut() throws IOException {
        isCut = true;
        client.close();
    }

    /** What was kept reaches the node, and then the end of the first connection; returns when the node has ended it, too. */
    void release() throws InterruptedException {
        try {
            synchronized (this) {
                node.getOutputStream().write(held.toByteArray());
                node.shutdownOutput();
            }
        } catch (IOException e) {
            // The node has ended it already.
        }
        ended.await();
    }

    @Override
    public synchronized void close() throws IOException {
        super.close();
        if (node != null) {
            client.close();
            node.close();
        }
    }
}
