package io.duramen.broker.subscription;

import io.duramen.protocol.frame.OffsetRange;
import java.util.List;

/** Takes messages that were found expired when their turn came; they have to be settled. */
@FunctionalInterface
public interface ExpirySink {
    void expired(Subscription subscription, PartitionDispatch partition, List<OffsetRange> ranges);
}
