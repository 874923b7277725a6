package io.duramen.node.network;

import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.Redirect;
import java.util.Optional;
import java.util.function.Supplier;

/** Whether clients are let in; where not, they are told who serves them. From any thread. */
public final class Door {
    private final Supplier<ProtocolException> refusal;
    private volatile boolean open;

    private Door(boolean open, Supplier<ProtocolException> refusal) {
        this.open = open;
        this.refusal = refusal;
    }

    /** That of a node by itself. */
    public static Door open() {
        return new Door(true, () -> Redirect.to(Optional.empty()));
    }

    /**
     * That of a node which does not serve yet.
     *
     * @param refusal what who knocks is told: who serves, where that is known; asked by event loops, and must not wait
     */
    public static Door shut(Supplier<ProtocolException> refusal) {
        return new Door(false, refusal);
    }

    /** From here on who says Hello is let in. */
    public void letIn() {
        open = true;
    }

    /** From here on nobody is; who is in already stays. */
    public void shut() {
        open = false;
    }

    /** @throws ProtocolException where it is shut */
    void requireOpen() {
        if (!open) {
            throw refusal.get();
        }
    }
}
