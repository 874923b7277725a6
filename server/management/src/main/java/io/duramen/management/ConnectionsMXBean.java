package io.duramen.management;

import java.util.List;

/** The connections of clients: {@code type=Connections}. */
public interface ConnectionsMXBean {
    /** Most connections of one page. */
    int PAGE_MAX = 1000;

    /** Connections that are open. */
    int getCount();

    /**
     * Connections, the oldest first.
     *
     * @param after only those with an id above this; 0 for the first page
     * @param limit most of a page, 1 to {@value #PAGE_MAX}
     */
    List<ConnectionRow> list(long after, int limit);

    /**
     * Closes a connection at once. What it held goes to others; a client that reconnects comes back under another id.
     *
     * @throws IllegalArgumentException where there is none with that id
     */
    void close(long id);

    /**
     * What a connection consumes, by the numbers of its consumers.
     *
     * @param id of the connection
     * @param after only those with a number above this; 0 for the first page
     * @param limit most of a page, 1 to {@value #PAGE_MAX}
     */
    List<AttachedRow> consumers(long id, int after, int limit);

    /**
     * Closes a consumer and nothing else of its connection. Its application is told, by the ExceptionListener and by whatever it asks of
     * the consumer next. What it has accepted is settled; what else it holds goes to others, counted where the application had it.
     *
     * @param id of the connection
     * @param consumer one of its numbers, as {@link #consumers}, {@code held} of messages and alerts name it
     * @throws IllegalArgumentException where there is none
     */
    void closeConsumer(long id, int consumer);
}
