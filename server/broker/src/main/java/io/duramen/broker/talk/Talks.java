package io.duramen.broker.talk;

import io.duramen.protocol.MalformedFrameException;
import io.duramen.runtime.Clock;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One shard's talks with all others of its cluster, wherever they are led; for one leadership. Confined to the shard's agent, and all
 * of it is soft: what has to outlive a leadership stands in the shards' logs, and is asked for when they meet again.
 */
public final class Talks {
    private static final Logger LOG = LoggerFactory.getLogger(Talks.class);

    /** Brings frames to whoever leads a shard. Called by the agent, never blocking; it may lose, repeat and delay them. */
    public interface Carrier {
        void carry(int shard, ByteBuffer frame);
    }

    /** Told on the agent's thread, between two words. */
    public interface Listener {
        /** From here on a shard hears what is said to it, until it is {@link #lost}. */
        void met(int shard);

        /** What was said to it since it was met may not have been heard; it may be met again. */
        void lost(int shard);

        /** @throws MalformedFrameException where it is none that this one knows: the talk ends */
        void heard(int shard, Word word);
    }

    private final int self;
    private final Clock clock;
    private final Carrier carrier;
    private final Talk[] talks;
    private boolean began;

    /**
     * @param self number of the shard
     * @param shards how many the cluster has
     */
    public Talks(int self, int shards, Clock clock, Carrier carrier) {
        this.self = self;
        this.clock = clock;
        this.carrier = carrier;
        this.talks = new Talk[shards];
    }

    public int shards() {
        return talks.length;
    }

    /** From here on all others are greeted. Once. */
    public void begin(long epoch, Listener listener) {
        began = true;
        for (int shard = 0; shard < talks.length; shard++) {
            if (shard != self) {
                int other = shard;
                talks[shard] = new Talk(
                        self,
                        shard,
                        epoch,
                        new Talk.Listener() {
                            @Override
                            public void met() {
                                listener.met(other);
                            }

                            @Override
                            public void lost() {
                                LOG.debug("Shard {} has lost shard {}", self, other);
                                listener.lost(other);
                            }

                            @Override
                            public void heard(Word word) {
                                listener.heard(other, word);
                            }
                        },
                        frame -> carrier.carry(other, frame.encode()));
            }
        }
    }

    /** A frame has come; nothing happens before the shard leads, or where it is for another. */
    public void hear(ByteBuffer bytes) {
        if (!began) {
            return;
        }
        Talk talk = null;
        try {
            TalkFrame frame = TalkFrame.decode(bytes);
            if (frame.to() == self && frame.from() < talks.length) {
                talk = talks[frame.from()];
                talk.hear(frame);
            }
        } catch (MalformedFrameException e) {
            LOG.error("Shard {} was told what it does not understand: {}", self, e.getMessage());
            if (talk != null) {
                talk.beginAnew();
            }
        }
    }

    /** Whether a shard hears what is said to it, unless it is lost. */
    public boolean isMet(int shard) {
        return began && talks[shard].isMet();
    }

    /** How often a shard was met; who waits for an answer waits in vain once that has grown. */
    public long meetings(int shard) {
        return began ? talks[shard].meetings() : 0;
    }

    /** Says a word to a shard, behind all that was said before; not at all where that was not met. */
    public void say(int shard, Word word) {
        if (began) {
            talks[shard].say(word);
        }
    }

    /** See {@link Talk#whenHeard}. */
    public void whenHeard(int shard, Runnable then) {
        talks[shard].whenHeard(then);
    }

    /** There is another connection to the node that leads a shard. */
    public void sendAgain(int shard) {
        if (began) {
            talks[shard].sendAgain();
        }
    }

    /** Sends what was said. */
    public int doWork() {
        int work = 0;
        long now = clock.nanos();
        for (Talk talk : talks) {
            work += talk == null ? 0 : talk.doWork(now);
        }
        return work;
    }

    /** When, on {@link Clock#nanos}, it has something to send. */
    public long deadlineNanos() {
        long deadline = Long.MAX_VALUE;
        long now = clock.nanos();
        for (Talk talk : talks) {
            deadline = talk == null ? deadline : Math.min(deadline, talk.deadlineNanos(now));
        }
        return deadline;
    }
}
