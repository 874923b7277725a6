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

    /** In a {@link Place}: messages are read in the order of their offsets, whatever their priority. */
    int ANY_PRIORITY = -1;

    /**
     * @param destination name of a queue; it must exist
     * @param partition one of its partitions
     * @param selector empty for none
     * @param end see {@link Response#end}; {@link #NOW} for the first page
     * @param asOfMillis see {@link Response#asOfMillis}; ignored for the first page
     * @param place from which to look on: what the last page said; ignored for the first page
     * @param messagesMax most messages in the page; 0 only fixes the view and checks the request
     */
    record Request(
            int shard,
            String destination,
            int partition,
            String selector,
            long end,
            long asOfMillis,
            Place place,
            int messagesMax)
            implements ForShard {}

    /**
     * A page may hold nothing and yet not be the last: the server looks at so many messages at a time.
     *
     * @param end offset behind the last message of the view
     * @param asOfMillis the server's time when the view was fixed: what was to be delivered later is not in it
     * @param next from which to look on
     * @param last whether nothing is left behind this page
     * @param count messages in {@code deliveries}
     * @param deliveries see {@link io.duramen.protocol.record.Deliveries}; the count of each is what its next delivery
     *     would say
     */
    record Response(long end, long asOfMillis, Place next, boolean last, int count, ByteBuffer deliveries) {}

    /**
     * How far a view is read. Where its messages have priorities it is gone through once for each that occurs.
     *
     * @param priority of the messages being read, or {@link #ANY_PRIORITY}
     * @param lower a bit for each lower priority that was met, 1 for priority 0
     * @param offset from which to look on
     */
    record Place(int priority, int lower, long offset) {}
}
