package io.duramen.jms.branch;

import io.duramen.jms.link.Link;
import io.duramen.protocol.frame.BranchId;
import jakarta.jms.JMSException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Thread-safe. The branches that sessions of one connection work for: the resource manager, as a transaction manager sees
 * it. Branches prepared by others are ended through it, too, even once its connection is closed.
 */
public final class Branches {
    /** Says something to the node of the connection, over that or, once it is closed, a new one. */
    public interface Node {
        <T> T ask(Question<T> question) throws JMSException;
    }

    /** Something to be said over a link. */
    @FunctionalInterface
    public interface Question<T> {
        T ask(Link link) throws JMSException;
    }

    private final Node node;
    private final Map<BranchId, Branch> begun = new ConcurrentHashMap<>();

    public Branches(Node node) {
        this.node = node;
    }

    Node node() {
        return node;
    }

    /** @return false where one of this name has been begun already */
    boolean begin(Branch branch) {
        return begun.putIfAbsent(branch.id(), branch) == null;
    }

    /** @return null where none of this name has been begun here */
    Branch get(BranchId id) {
        return begun.get(id);
    }

    void forget(Branch branch) {
        begun.remove(branch.id(), branch);
    }
}
