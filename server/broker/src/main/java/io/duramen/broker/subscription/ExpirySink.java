package io.duramen.broker.subscription;

import io.duramen.protocol.frame.OffsetRange;
import java.util.List;

/** Takes messages that nobody is handed and that have to be settled. */
public interface ExpirySink {
    /** Their time is over. */
    void expired(Subscription subscription, PartitionDispatch partition, Expired expired);

    /** The subscription's own selector or noLocal leaves them out. */
    void skipped(Subscription subscription, PartitionDispatch partition, List<OffsetRange> ranges);
}
