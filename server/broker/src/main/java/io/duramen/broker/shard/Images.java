package io.duramen.broker.shard;

import io.duramen.broker.BrokerConfig;
import io.duramen.metadata.MetadataStore;
import io.duramen.metadata.ShardImage;
import io.duramen.replication.ReplicatedLog;
import io.duramen.runtime.Clock;
import java.io.IOException;
import java.util.Optional;
import org.agrona.collections.Long2LongHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the shard's hard state from time to time, so that recovery replays little and the log can let segments go.
 * Confined to the agent. An image is stored only when everything in it is on disk in the log: the image never knows more
 * than the log does.
 */
final class Images {
    private static final Logger LOG = LoggerFactory.getLogger(Images.class);

    private final int shard;
    private final BrokerConfig config;
    private final Clock clock;
    private final ReplicatedLog log;
    private final MetadataStore store;
    private final ShardState state;

    /** Waits for the log to be durable up to it, then to be stored. */
    private Taken taken;

    private boolean storing;
    private boolean failed;
    private long storedIndex;
    private long durableIndex;
    private long nextNanos;

    /**
     * An image, and what it needs of the log: if later settlements are lost with the machine, recovery begins with its
     * cursors.
     */
    private record Taken(ShardImage image, Long2LongHashMap neededFrom) {}

    Images(int shard, BrokerConfig config, Clock clock, ReplicatedLog log, MetadataStore store, ShardState state) {
        this.shard = shard;
        this.config = config;
        this.clock = clock;
        this.log = log;
        this.store = store;
        this.state = state;
        this.nextNanos = clock.nanos() + config.imageInterval().toNanos();
    }

    void load() throws IOException {
        Optional<ShardImage> image = store.load(shard);
        image.ifPresent(state::load);
        storedIndex = state.appliedIndex;
        durableIndex = state.appliedIndex;
    }

    void durable(long index) {
        durableIndex = index;
    }

    int doWork() {
        if (storing) {
            return 0;
        }
        if (taken == null && isDue()) {
            taken = new Taken(state.toImage(), state.neededFrom());
        }
        if (taken != null && taken.image.appliedIndex() <= durableIndex) {
            store(taken);
            taken = null;
            return 1;
        }
        return 0;
    }

    private boolean isDue() {
        if (state.appliedIndex == storedIndex) {
            return false;
        }
        return clock.nanos() - nextNanos >= 0
                || !failed && log.bytesSince(storedIndex) >= config.imageSize().count();
    }

    private void store(Taken toStore) {
        ShardImage image = toStore.image;
        storing = true;
        nextNanos = clock.nanos() + config.imageInterval().toNanos();
        store.store(image, failure -> {
            storing = false;
            failed = failure.isPresent();
            if (failed) {
                LOG.warn(
                        "The image of shard {} could not be stored; the one before stays, and recovery would take longer: {}",
                        image.shard(),
                        failure.get().getMessage());
                return;
            }
            storedIndex = image.appliedIndex();
            log.release(storedIndex, partition -> toStore.neededFrom.get(partition));
        });
    }

    /** At the end, when the log is closed and so durable up to its last entry. */
    void storeLast() {
        if (state.appliedIndex != storedIndex && !storing && !log.status().stopped()) {
            store.store(state.toImage(), failure -> {});
        }
    }

    long deadlineNanos() {
        return storing || taken != null || state.appliedIndex == storedIndex ? Long.MAX_VALUE : nextNanos;
    }
}
