package io.duramen.jms.session;

import io.duramen.jms.link.LinkOptions;
import io.duramen.jms.message.AllowedClasses;
import io.duramen.jms.publishing.SendAcks;
import io.duramen.protocol.frame.Attach.Backoff;

/**
 * Any thread. What a factory tells each connection it makes.
 *
 * @param clientId empty where the application may set one
 * @param prefetch messages sent ahead to a consumer at most; 0 for none
 * @param prefetchBytes bytes sent ahead to a consumer at most
 * @param prefetchNanos time whose work is sent ahead to a consumer; 0 for always as much as may be
 * @param backoff how long what a consumer gives back waits
 * @param batchBytes at which a batch of sends is full
 * @param sendWindowBytes of one session that may be on their way
 * @param acks what sends outside of transactions wait for
 * @param replicas on how many nodes of a cluster destinations are to be that it makes; 0 for what the node's settings say
 * @param largeBodyBytes longer bodies are sent in parts; 0 for a share of the frame limit
 * @param allowedClasses that received object messages may hold
 * @param withUserId whether messages that are sent carry the user
 * @param xaCallNanos longest that a call of a transaction manager waits for the node
 */
public record ConnectionSettings(
        LinkOptions link,
        String clientId,
        int prefetch,
        int prefetchBytes,
        long prefetchNanos,
        Backoff backoff,
        int batchBytes,
        long sendWindowBytes,
        SendAcks acks,
        int replicas,
        int largeBodyBytes,
        AllowedClasses allowedClasses,
        boolean withUserId,
        long xaCallNanos) {
    private static final int FRAME_SHARE = 4;

    /** Longest body that is sent in the record of its message. */
    int bodyLengthMax(int frameLengthMax) {
        int share = frameLengthMax / FRAME_SHARE;
        return largeBodyBytes == 0 ? share : Math.min(largeBodyBytes, 2 * share);
    }

    /** For a connection beside the one that has the client id. */
    ConnectionSettings withoutClientId() {
        return new ConnectionSettings(
                link,
                "",
                prefetch,
                prefetchBytes,
                prefetchNanos,
                backoff,
                batchBytes,
                sendWindowBytes,
                acks,
                replicas,
                largeBodyBytes,
                allowedClasses,
                withUserId,
                xaCallNanos);
    }

    /** @return null where messages do not carry it, or nobody logged in */
    String userIdOrNull() {
        String user = link.credentials().user();
        return withUserId && !user.isEmpty() ? user : null;
    }
}
