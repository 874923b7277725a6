package io.duramen.management;

import java.util.List;

/**
 * The destinations of a node: {@code type=Destinations}. There is no MBean for each of them, so that ten thousand cost no more
 * than one.
 */
public interface DestinationsMXBean {
    /** Most destinations of one page. */
    int PAGE_MAX = 1000;

    /** How many there are, temporary ones included. */
    long getCount();

    /**
     * Destinations, sorted by name.
     *
     * @param pattern of their names, in which {@code *} stands for any characters; empty for all
     * @param after only those whose names come behind this; empty for the first page
     * @param limit most of a page, 1 to {@value #PAGE_MAX}
     */
    DestinationPage list(String pattern, String after, int limit);

    /**
     * Which connections consume a destination, the oldest first; to be closed with {@link ConnectionsMXBean#close}.
     *
     * @param after where the page begins, as the page before said; empty for the first
     * @param limit most of a page, 1 to {@value #PAGE_MAX}
     */
    ConsumerPage consumers(String name, String after, int limit);

    /**
     * Makes a queue or a topic; on disk, in all shards that it concerns, when it returns.
     *
     * @param name of none that is there
     * @param kind QUEUE or TOPIC
     * @param partitions 1 to 64; 0 for what the settings say of the name. One keeps total order
     */
    void create(String name, String kind, int partitions);

    /**
     * Gives a destination further partitions while it is used; on disk, in all shards that get some, when it returns. Asked
     * again, it changes nothing. What has a group, a dedup id or a named producer stays in the partitions that were there before.
     *
     * @param total how many partitions it has then, up to 64; never fewer than it has, since none is ever taken away
     */
    void addPartitions(String name, int total);

    /** What holds for a destination: all that {@link #change} can change. */
    List<SettingRow> settings(String name);

    /**
     * Changes settings of a destination while it is used, in place of what the node's settings say of it; on disk, in all shards
     * that it concerns, when it returns, and for as long as the destination is there. What is not named stays as it is.
     *
     * @param settings {@code KEY:VALUE} with blanks between, as {@code max:3 delay:5s}; {@code KEY:} has the node's settings
     *     hold again. The keys are those of {@link #settings}
     * @throws IllegalArgumentException where one cannot be changed, or not so; then nothing is changed
     */
    void change(String name, String settings);

    /**
     * Hands out nothing of a destination until {@link #resume}, restarts of the node included; sends go on. Who holds messages
     * keeps them, may settle them, and gets what it gave back only afterwards.
     */
    void pause(String name);

    /** Has messages handed out again; changes nothing where it was not paused. */
    void resume(String name);

    /** Deletes a destination with its messages and subscriptions; refused while it has consumers, or a prepared branch uses it. */
    void delete(String name);

    /**
     * Has a queue go on elsewhere, as {@link SubscriptionsMXBean#seek} a subscription: backwards as far as it keeps what is settled, by
     * its settings {@code keep} and {@code keep-size}, while it has no consumers.
     *
     * @param to as there
     * @return as there
     */
    MoveResult seek(String queue, String to);

    /**
     * Drops messages of a queue that no consumer and no prepared branch holds, those that wait for a time included.
     *
     * @param selector which of them, as consumers have it; empty for all
     * @param limit most messages that are dropped, at least 1
     * @return how many were; until {@code management.timeout} has passed, which ends it early
     */
    MoveResult purge(String queue, String selector, long limit);
}
