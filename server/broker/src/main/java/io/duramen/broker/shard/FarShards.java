package io.duramen.broker.shard;

import io.duramen.broker.talk.Talks;
import io.duramen.broker.talk.Word;
import io.duramen.runtime.Clock;
import java.nio.ByteBuffer;

/**
 * The shards of a cluster whose leaders are on several nodes, as one of them sees them in one leadership: each is met, lost and met again,
 * as leaders and connections come and go. Confined to the shard's agent.
 */
public class FarShards implements Neighbours {
    /** The nodes that shards are on. From any thread. */
    public interface Groups {
        /** Where nothing is known of them. */
        Groups UNKNOWN = new Groups() {
            @Override
            public int replicas(int shard) {
                return 0;
            }

            @Override
            public boolean mayBeLed(int shard) {
                return true;
            }
        };

        /** See {@link Neighbours#replicas}. */
        int replicas(int shard);

        /** See {@link Neighbours#mayBeLed}. */
        boolean mayBeLed(int shard);
    }

    private final Talks talks;
    private final Groups groups;

    /**
     * @param shard whose neighbours these are
     * @param shards how many the cluster has
     * @param carrier brings frames to whoever leads the others
     */
    public FarShards(int shard, int shards, Clock clock, Talks.Carrier carrier, Groups groups) {
        this.groups = groups;
        talks = new Talks(shard, shards, clock, carrier);
    }

    @Override
    public int shards() {
        return talks.shards();
    }

    @Override
    public int replicas(int shard) {
        return groups.replicas(shard);
    }

    @Override
    public boolean mayBeLed(int shard) {
        return groups.mayBeLed(shard);
    }

    @Override
    public boolean areFar() {
        return true;
    }

    @Override
    public void lead(long epoch, Meetings meetings) {
        talks.begin(epoch, new Talks.Listener() {
            @Override
            public void met(int shard) {
                meetings.met(shard);
            }

            @Override
            public void lost(int shard) {
                meetings.lost(shard);
            }

            @Override
            public void heard(int shard, Word word) {
                meetings.heard(shard, ShardWords.decode(word));
            }
        });
    }

    @Override
    public void leave(int shard, ShardMessage message) {
        if (talks.isMet(shard)) {
            talks.say(shard, ShardWords.encode(message));
        }
    }

    /** What was said leaves with the next {@link #doWork}. */
    @Override
    public void wake(int shard) {}

    @Override
    public boolean hears(int shard) {
        return talks.isMet(shard);
    }

    @Override
    public long meetings(int shard) {
        return talks.meetings(shard);
    }

    @Override
    public void whenHeard(int shard, Runnable then) {
        talks.whenHeard(shard, then);
    }

    @Override
    public void hear(ByteBuffer frame) {
        talks.hear(frame);
    }

    @Override
    public int doWork() {
        return talks.doWork();
    }

    @Override
    public long deadlineNanos() {
        return talks.deadlineNanos();
    }
}
