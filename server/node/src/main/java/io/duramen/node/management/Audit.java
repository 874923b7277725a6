package io.duramen.node.management;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the operations of the MXBeans: a line of the log {@value #LOGGER} tells of each, who asked for what and what came of it,
 * at INFO of those that change something and at DEBUG of those that look. Thread-safe.
 */
final class Audit {
    static final String LOGGER = "io.duramen.audit";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);
    private static final int LENGTH_MAX = 500;

    /** What the one who asked can put right. */
    private static final Set<ErrorCode> ARGUMENTS = EnumSet.of(
            ErrorCode.INVALID_REQUEST,
            ErrorCode.INVALID_SELECTOR,
            ErrorCode.INVALID_DESTINATION_NAME,
            ErrorCode.DESTINATION_NOT_FOUND,
            ErrorCode.DESTINATION_KIND_MISMATCH,
            ErrorCode.SUBSCRIPTION_NOT_FOUND,
            ErrorCode.BRANCH_NOT_FOUND);

    private final String node;

    /** @param node as the MXBeans name it */
    Audit(String node) {
        this.node = node;
    }

    /**
     * An operation that changes something.
     *
     * @param what it does, with its arguments
     * @throws IllegalArgumentException where an argument is not allowed or names nothing
     * @throws IllegalStateException where the node refuses or cannot
     */
    <A> A change(String what, Supplier<A> operation) {
        String caller = Caller.name();
        try {
            A answer = run(operation);
            LOG.info("{}: {} on node {}: {}", printable(caller), printable(what), node, printable("done: " + answer));
            return answer;
        } catch (RuntimeException e) {
            LOG.info(
                    "{}: {} on node {}: {}",
                    printable(caller),
                    printable(what),
                    node,
                    printable("failed: " + e.getMessage()));
            throw e;
        }
    }

    /** An operation that looks; otherwise as {@link #change}. */
    <A> A look(String what, Supplier<A> operation) {
        if (LOG.isDebugEnabled()) {
            LOG.debug("{}: {} on node {}", printable(Caller.name()), printable(what), node);
        }
        return run(operation);
    }

    /** Something that was refused before it began. */
    void refused(String who, String what, String why) {
        LOG.info("{}: {} on node {}: {}", printable(who), printable(what), node, printable("refused: " + why));
    }

    private static <A> A run(Supplier<A> operation) {
        try {
            return operation.get();
        } catch (ProtocolException refusal) {
            String reason = refusal.code() + ": " + refusal.getMessage();
            // Their causes stay here: a console knows nothing of these classes.
            throw ARGUMENTS.contains(refusal.code())
                    ? new IllegalArgumentException(reason)
                    : new IllegalStateException(reason);
        }
    }

    /** One line, whatever names and selectors hold. */
    private static String printable(String text) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length() && i < LENGTH_MAX; i++) {
            char c = text.charAt(i);
            shown.append(Character.isISOControl(c) || c == '\u2028' || c == '\u2029' ? '?' : c);
        }
        return text.length() > LENGTH_MAX ? shown.append('…').toString() : shown.toString();
    }
}
