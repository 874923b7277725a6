package io.duramen.simulation.broker;

import io.duramen.broker.shard.ClientConnection;
import io.duramen.protocol.Frame;
import io.duramen.protocol.Protocol;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.Simulation;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A connection: frames cross it as bytes, in order, after delays from the seed. When it breaks, each direction loses what
 * has not arrived, and both ends learn of it at times of their own. Confined to the simulation.
 */
public final class SimulatedLink implements ClientConnection {
    private static final int DELAY_NANOS_MAX = 200_000;
    private static final int NOTICE_NANOS_MAX = 20_000_000;

    /** Who is at the other end. */
    public interface ClientEnd {
        void received(Frame frame);

        void lost();
    }

    private final long id;
    private final String name;
    private final int clientNumber;
    private final Optional<String> clientId;
    private final Simulation simulation;
    private final SimulatedServer server;
    private final ClientEnd client;
    private final SeededRandom random;
    private final ArrayDeque<Frame> unsent = new ArrayDeque<>();
    private boolean up = true;
    private boolean serverKnows = true;
    private boolean endedWithAShard;
    private long arrivalAtServer;
    private long arrivalAtClient;
    private long lingersUntil;

    SimulatedLink(long id, int clientNumber, Optional<String> clientId, SimulatedServer server, ClientEnd client) {
        this.id = id;
        this.name = "link " + clientNumber;
        this.clientNumber = clientNumber;
        this.clientId = clientId;
        this.server = server;
        this.client = client;
        this.simulation = server.simulation();
        this.random = simulation.random().split();
    }

    /** For the trace. */
    String name() {
        return name;
    }

    public int clientNumber() {
        return clientNumber;
    }

    public boolean isUp() {
        return up;
    }

    /** Sends a frame to the server; lost where the link is broken, which the client may not know yet. */
    public void toServer(Frame frame) {
        if (!up) {
            return;
        }
        ByteBuffer bytes = encode(frame);
        simulation.note(name, "sends", id, crc(bytes));
        arrivalAtServer = Math.max(arrivalAtServer, simulation.nowNanos() + 1 + random.below(DELAY_NANOS_MAX));
        simulation.after(arrivalAtServer - simulation.nowNanos(), () -> {
            if (simulation.nowNanos() < lingersUntil) {
                simulation.after(lingersUntil - simulation.nowNanos(), () -> arrive(bytes));
            } else {
                arrive(bytes);
            }
        });
    }

    private void arrive(ByteBuffer bytes) {
        if (serverKnows) {
            server.receive(this, Frame.read(Protocol.VERSION, bytes));
        }
    }

    /** Breaks it. The client notices after a while; so does the server, unless it is the one that died. */
    void breakDown(boolean serverDied) {
        if (!up) {
            return;
        }
        up = false;
        simulation.note(name, "breaks", id, serverDied ? 1 : 0);
        simulation.after(random.below(NOTICE_NANOS_MAX), client::lost);
        if (serverDied) {
            serverKnows = false;
        } else {
            // What is on its way may still arrive until the server notices; at times it is all read only just before,
            // after
            // the client has come back by another connection.
            long noticeNanos = random.below(NOTICE_NANOS_MAX);
            lingersUntil = random.oneIn(2) ? simulation.nowNanos() + noticeNanos : 0;
            simulation.after(noticeNanos + 1, this::serverNotices);
        }
    }

    /** Breaks it from outside. */
    public void drop() {
        breakDown(false);
    }

    private void serverNotices() {
        if (serverKnows) {
            serverKnows = false;
            server.disconnected(this);
        }
    }

    /** One of the server's shards got another leader, and the server ends the connection for it. */
    void endsWithAShard() {
        endedWithAShard = true;
        serverGone();
    }

    boolean hasEndedWithAShard() {
        return endedWithAShard;
    }

    /** The server process is gone. */
    void serverGone() {
        serverKnows = false;
        breakDown(true);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public String user() {
        return "user";
    }

    @Override
    public boolean isAdmin() {
        return false;
    }

    @Override
    public Optional<String> clientId() {
        return clientId;
    }

    /** Encoded a moment later, as an event loop would, so that a frame changed after it was sent is noticed. */
    @Override
    public void send(Frame frame) {
        server.sending(this, frame);
        if (!up) {
            return;
        }
        unsent.add(frame);
        arrivalAtClient = Math.max(arrivalAtClient, simulation.nowNanos() + 1 + random.below(DELAY_NANOS_MAX));
        simulation.after(random.below((int) Math.max(1, arrivalAtClient - simulation.nowNanos())), this::transmit);
    }

    private void transmit() {
        while (!unsent.isEmpty()) {
            ByteBuffer bytes = encode(unsent.poll());
            simulation.note(name, "is sent", id, crc(bytes));
            simulation.after(Math.max(1, arrivalAtClient - simulation.nowNanos()), () -> {
                if (up) {
                    client.received(Frame.read(Protocol.VERSION, bytes));
                }
            });
        }
    }

    @Override
    public void handled(Frame frame) {
        server.handled(this, frame);
    }

    private static long crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return crc.getValue();
    }

    private static ByteBuffer encode(Frame frame) {
        int size = frame.size(Protocol.VERSION);
        ByteBuffer bytes = ByteBuffer.allocate(size);
        frame.write(Protocol.VERSION, size, bytes);
        return bytes.flip().position(Frame.LENGTH_FIELD_LENGTH).slice();
    }
}
