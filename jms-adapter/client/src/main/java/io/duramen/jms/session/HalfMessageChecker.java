package io.duramen.jms.session;

import jakarta.jms.Message;
import java.time.Instant;

/**
 * Knows what became of the transactions for which half messages of a group stand. Called by a thread of its own, one check
 * after the other; see {@link DuramenConnection#checkHalfMessages}.
 */
@FunctionalInterface
public interface HalfMessageChecker {
    /** What became of the work. */
    enum Verdict {
        /** It was done: the message is to be seen. */
        CONFIRM,
        /** It was not done and will not be: the message is to be dropped. */
        CANCEL,
        /** It is not known yet, or still going on: ask again later. */
        UNKNOWN
    }

    /**
     * A half message that nobody has ended in time.
     *
     * @param id of the {@link HalfMessage}
     * @param message as it was sent; a body that travels in parts cannot be read
     * @param asks how often it was asked, this time included
     * @param prepared when it was stored, by the node's clock
     */
    record Check(String id, Message message, int asks, Instant prepared) {}

    /**
     * Tells. Take care to say CANCEL only where the work can no longer succeed: an open transaction is UNKNOWN.
     *
     * @throws Exception counts as UNKNOWN, and is logged
     */
    Verdict check(Check check) throws Exception;
}
