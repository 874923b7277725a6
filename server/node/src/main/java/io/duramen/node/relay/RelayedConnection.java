package io.duramen.node.relay;

import io.duramen.broker.shard.ClientConnection;
import io.duramen.protocol.Frame;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A client of another node, as a shard of this one sees it. From any thread. */
final class RelayedConnection implements ClientConnection {
    private final long id;
    private final String user;
    private final boolean admin;
    private final BiConsumer<RelayedConnection, Frame> out;
    private final Runnable onHandled;
    private final Consumer<RelayedConnection> onSuperseded;
    private final AtomicInteger handled = new AtomicInteger();
    private volatile String clientId;

    /**
     * @param out takes what is for the client
     * @param onHandled told when {@link #takeHandled} has something, which it had not before
     * @param onSuperseded told when it is to end
     */
    RelayedConnection(
            RelayWords.Opened opened,
            BiConsumer<RelayedConnection, Frame> out,
            Runnable onHandled,
            Consumer<RelayedConnection> onSuperseded) {
        this.onSuperseded = onSuperseded;
        this.id = opened.connection();
        this.user = opened.user();
        this.admin = opened.admin();
        this.clientId = opened.clientId();
        this.out = out;
        this.onHandled = onHandled;
    }

    /** It has a client id by now. */
    void identified(String as) {
        clientId = as;
    }

    /** How many frames were handled since this was asked last. */
    int takeHandled() {
        return handled.getAndSet(0);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public String user() {
        return user;
    }

    @Override
    public boolean isAdmin() {
        return admin;
    }

    @Override
    public Optional<String> clientId() {
        return Optional.ofNullable(clientId);
    }

    @Override
    public void send(Frame frame) {
        out.accept(this, frame);
    }

    @Override
    public void supersede() {
        onSuperseded.accept(this);
    }

    @Override
    public void handled(Frame frame) {
        if (handled.getAndIncrement() == 0) {
            onHandled.run();
        }
    }
}
