package io.duramen.node.network;

import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.Redirect;
import java.util.Optional;
import java.util.function.Supplier;

/** Whether clients are let in; where not, they are told who serves them. From any thread. */
public final class Door {
    private final Supplier<Optional<String>> elsewhere;
    private volatile boolean open;

    private Door(boolean open, Supplier<Optional<String>> elsewhere) {
        this.open = open;
        this.elsewhere = elsewhere;
    }

    /** That of a node by itself. */
    public static Door open() {
        return new Door(true, Optional::empty);
    }

    /**
     * That of a node which does not serve yet.
     *
     * @param elsewhere HOST:PORT of the node that does, where one is known; asked by event loops, and must not wait
     */
    public static Door shut(Supplier<Optional<String>> elsewhere) {
        return new Door(false, elsewhere);
    }

    /** From here on who says Hello is let in. */
    public void letIn() {
        open = true;
    }

    /** From here on nobody is; who is in already stays. */
    public void shut() {
        open = false;
    }

    /** @throws ProtocolException NOT_LEADER where it is shut */
    void requireOpen() {
        if (!open) {
            throw Redirect.to(elsewhere.get());
        }
    }
}
