package io.duramen.node.network;

import io.duramen.protocol.Frame;
import io.duramen.protocol.Protocol;
import io.duramen.protocol.frame.Authenticate;
import io.duramen.protocol.frame.Hello;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A peer that sends what it is told to, right or wrong, over a real socket. Not thread-safe. */
final class RawClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 10_000;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;

    RawClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    static RawClient loggedIn(int port) throws IOException {
        RawClient client = new RawClient(port);
        client.hello();
        client.request(2, new Authenticate.Request("PLAIN", "", ""));
        client.read();
        return client;
    }

    Hello.Response hello() throws IOException {
        request(1, new Hello.Request(Protocol.MAGIC, 1, 1, "raw", 0));
        return (Hello.Response) read().payload();
    }

    void request(long correlation, Record payload) throws IOException {
        send(Frame.request(correlation, payload));
    }

    void send(Frame... frames) throws IOException {
        int total = 0;
        for (Frame frame : frames) {
            total += frame.size(1);
        }
        ByteBuffer bytes = ByteBuffer.allocate(total);
        for (Frame frame : frames) {
            frame.write(1, frame.size(1), bytes);
        }
        bytes(bytes.array());
    }

    void bytes(byte... bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** Sends as much as the server takes, and says whether it took all. */
    boolean bytesUnlessClosed(byte[] bytes) {
        try {
            bytes(bytes);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    Frame read() throws IOException {
        return readOrEnd().orElseThrow(EOFException::new);
    }

    /** The next frame that is no heartbeat; empty where the server has closed the connection. */
    Optional<Frame> readOrEnd() throws IOException {
        while (true) {
            Frame frame;
            try {
                byte[] body = new byte[in.readInt()];
                in.readFully(body);
                frame = Frame.read(1, ByteBuffer.wrap(body));
            } catch (EOFException e) {
                return Optional.empty();
            } catch (SocketException e) {
                return Optional.empty();
            }
            if (frame.kind() != Frame.Kind.REQUEST) {
                return Optional.of(frame);
            }
        }
    }

    /** Reads until the server closes the connection. */
    void awaitEnd() throws IOException {
        while (readOrEnd().isPresent()) {
            // the rest
        }
    }

    /** Ends without a word, as a killed process does. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
