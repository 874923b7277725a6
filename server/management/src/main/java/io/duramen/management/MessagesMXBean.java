package io.duramen.management;

import java.util.Map;

/**
 * The messages of queues and durable subscriptions: {@code type=Messages}. A message is named by its id, as {@link #browse} gives
 * it: its partition and its offset there, with a colon between. Bodies are shown in part and never deserialized.
 */
public interface MessagesMXBean {
    /** Most messages of one page. */
    int PAGE_MAX = 200;

    /** Most bytes of a body that a page shows. */
    int PREVIEW_MAX = 256;

    /** Most bytes of a body that {@link #read} shows. */
    int READ_MAX = 64 << 10;

    /** Longest text that {@link #send} takes, in characters. */
    int TEXT_MAX = 1 << 20;

    /** Messages moved to other queues by hand since the node started. */
    long getMoved();

    /** Messages copied to other queues by hand since the node started. */
    long getCopied();

    /**
     * Messages of a queue that are not settled, in whose hands they may be, by partition and offset.
     *
     * @param selector which of them, as consumers have it; empty for all
     * @param after where the page begins, as the page before said; empty for the first
     * @param limit most of a page, 1 to {@value #PAGE_MAX}
     */
    MessagePage browse(String queue, String selector, String after, int limit);

    /** As {@link #browse}, of a durable subscription of a topic. */
    MessagePage browseSubscription(String clientId, String name, String selector, String after, int limit);

    /** One message of a queue, with up to {@value #READ_MAX} bytes of its body. */
    MessageRow read(String queue, String id);

    /** Messages of a queue that consumers hold, and who; otherwise as {@link #browse}. */
    HeldPage held(String queue, String after, int limit);

    /**
     * Takes a message from the consumer that holds it: it comes again, counted as a delivery. What the consumer says of it
     * later is void once somebody else has been handed it.
     */
    void takeBack(String queue, String id);

    /**
     * Sends a text message; on disk when it returns.
     *
     * @param destination a queue or topic that is there
     * @param properties all of them texts; may be empty
     * @param priority 0 to 9, 4 being usual
     * @param timeToLiveMillis 0 for ever
     * @return its JMSMessageID
     */
    String send(String destination, String text, Map<String, String> properties, int priority, long timeToLiveMillis);

    /** As {@link #send}, a text and nothing else: for consoles that know no maps. */
    String sendText(String destination, String text);

    /**
     * Moves messages that nobody holds to another queue, as they are. Each is in one of the two at any time.
     *
     * @param selector which of them, as consumers have it; empty for all
     * @param to a queue that is there
     * @param limit most messages that are moved, at least 1
     * @return how many were; until {@code management.timeout} has passed, which ends it early. Those that had to stay are
     *     skipped: one with a large body whose queue is in another shard, one of a group where the other queue has several
     *     partitions
     */
    MoveResult move(String queue, String selector, String to, long limit);

    /** As {@link #move}, one message. */
    void moveOne(String queue, String id, String to);

    /** As {@link #move}, but they stay where they are, too. A copy has the JMSMessageID of what it was made of. */
    MoveResult copy(String queue, String selector, String to, long limit);

    /** As {@link #copy}, one message. */
    void copyOne(String queue, String id, String to);

    /** Drops one message that nobody holds; see {@link DestinationsMXBean#purge} for many. */
    void deleteOne(String queue, String id);

    /** Has messages that nobody holds expire now; otherwise as {@link #move}. */
    MoveResult expire(String queue, String selector, long limit);

    /** As {@link #expire}, one message. */
    void expireOne(String queue, String id);
}
