package io.duramen.jms.session;

import io.duramen.jms.link.Call;
import io.duramen.jms.link.JmsErrors;
import io.duramen.jms.link.Link;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.FindDedupId;
import io.duramen.protocol.frame.FindDedupId.Finding;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.record.DedupKey;
import jakarta.jms.JMSException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Any thread: holds nothing. Asks partitions for dedup ids; see {@link DuramenConnection#whenStored}. */
final class StoredIds {
    private StoredIds() {}

    static Optional<Instant> whenStored(Link link, List<PartitionRef> partitions, DedupKey key) throws JMSException {
        for (PartitionRef partition : partitions) {
            FindDedupId.Response answer = Call.ask(
                    link,
                    new FindDedupId.Request(partition.shard(), partition.partition(), key.high(), key.low()),
                    FindDedupId.Response.class);
            if (answer.finding() == Finding.STORED) {
                return Optional.of(Instant.ofEpochMilli(answer.storedMillis()));
            }
            if (answer.finding() == Finding.UNDECIDED) {
                throw JmsErrors.of(new ProtocolException(
                        ErrorCode.DEDUP_ID_UNDECIDED, "a prepared branch has a message with the dedup id"));
            }
        }
        return Optional.empty();
    }
}
