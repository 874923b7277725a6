package io.duramen.protocol.frame;

import java.nio.ByteBuffer;

/**
 * Reads a page of one partition of a queue without taking part in it: no lease, no credit, nothing is changed and nothing
 * is kept between two pages. The first page fixes the view that all later ones repeat, so each message that stood on the
 * queue then and still does is read once, in order, and nothing that came later.
 */
public interface Browse {
    /** In a {@link Request}: the view is yet to be fixed. */
    long NOW = -1;

    /**
     * @param destination name of a queue; it must exist
     * @param partition one of its partitions
     * @param selector empty for none
     * @param from offset from which to look on: 0 for the first page, then what the last page said
     * @param end see {@link Response#end}; {@link #NOW} for the first page
     * @param asOfMillis see {@link Response#asOfMillis}; ignored for the first page
     * @param messagesMax most messages in the page; 0 only fixes the view and checks the request
     */
    record Request(
            int shard,
            String destination,
            int partition,
            String selector,
            long from,
            long end,
            long asOfMillis,
            int messagesMax) {}

    /**
     * A page may hold nothing and yet not be the last: the server looks at so many messages at a time.
     *
     * @param next offset from which to look on; nothing is left where it is {@code end}
     * @param end offset behind the last message of the view
     * @param asOfMillis the server's time when the view was fixed: what was to be delivered later is not in it
     * @param count messages in {@code deliveries}
     * @param deliveries see {@link io.duramen.protocol.record.Deliveries}; the count of each is what its next delivery
     *     would say
     */
    record Response(long next, long end, long asOfMillis, int count, ByteBuffer deliveries) {}
}
