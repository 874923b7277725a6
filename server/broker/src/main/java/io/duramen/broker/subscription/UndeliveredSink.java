package io.duramen.broker.subscription;

import io.duramen.protocol.frame.OffsetRange;
import java.util.List;

/** Takes messages that nobody is handed any more and that have to be settled. */
public interface UndeliveredSink {
    /**
     * Their time is over.
     *
     * @return false where they are not settled, because they should go somewhere and cannot yet
     */
    boolean expired(Subscription subscription, PartitionDispatch partition, Expired expired);

    /**
     * They go somewhere else.
     *
     * @return false where they are not settled, because they cannot go there yet
     */
    boolean undeliverable(Subscription subscription, PartitionDispatch partition, Undeliverable messages);

    /** The subscription's own selector or noLocal leaves them out. */
    void skipped(Subscription subscription, PartitionDispatch partition, List<OffsetRange> ranges);
}
