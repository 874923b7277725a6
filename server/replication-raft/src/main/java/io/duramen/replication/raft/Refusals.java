package io.duramen.replication.raft;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells in the log why connections of nodes ended: of each node, and of all strangers together, once in a while, with how many more
 * there were. Whoever can connect cannot fill the log. From any thread.
 */
final class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final String STRANGERS = "";

    private final Map<String, Told> told = new HashMap<>();

    private static final class Told {
        private long quietUntilNanos;
        private long leftOut;
    }

    /** A connection of somebody who has not said yet who it is, or was not believed. */
    void ofStranger(Object address, Throwable cause) {
        tell(STRANGERS, "A connection of somebody unknown at " + address, cause);
    }

    /** A connection from or to a node of the cluster: there are as many as the settings name. */
    void ofNode(RaftPeer peer, Object address, Throwable cause) {
        tell(peer.name(), "A connection with " + peer.name() + " at " + address, cause);
    }

    private void tell(String who, String what, Throwable cause) {
        long leftOut = mayTell(who, System.nanoTime());
        if (leftOut >= 0) {
            LOG.warn(
                    "{} ends: {}{}",
                    what,
                    cause.toString(),
                    leftOut == 0 ? "" : "; " + leftOut + " like it were not told of");
        }
    }

    /** @return how many were not told of since the last that was; -1 where this is not, either */
    synchronized long mayTell(String who, long nowNanos) {
        Told last = told.get(who);
        if (last == null) {
            last = new Told();
            told.put(who, last);
        } else if (nowNanos - last.quietUntilNanos < 0) {
            last.leftOut++;
            return -1;
        }
        long leftOut = last.leftOut;
        last.leftOut = 0;
        last.quietUntilNanos = nowNanos + QUIET_NANOS;
        return leftOut;
    }
}
