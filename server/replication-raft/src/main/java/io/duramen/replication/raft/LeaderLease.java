package io.duramen.replication.raft;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.closure.ReadIndexClosure;
import io.duramen.runtime.Clock;
import java.time.Duration;

/**
 * Until when nobody else is expected to lead: a majority that has answered this leader does not take part in an election (the round
 * before the vote, in which candidates ask whether they would be voted for) before an election timeout has passed since. Who had
 * asked that round before, and was held up on the way to the vote, is not kept off by this. Asked for anew before it ends; counted from before the question, and a part of the timeout short, since clocks do
 * not run alike. Confined to the agent.
 */
final class LeaderLease {
    private static final byte[] NOTHING = new byte[0];

    private final Clock clock;
    private final Mailbox mailbox;
    private final long lengthNanos;
    private final long timeoutMillis;
    private long untilNanos;
    private long nextNanos;
    private long epoch;
    private boolean leads;
    private boolean asking;

    LeaderLease(Clock clock, Mailbox mailbox, Duration electionTimeout) {
        this.clock = clock;
        this.mailbox = mailbox;
        this.lengthNanos = electionTimeout.toNanos() * 4 / 5;
        this.timeoutMillis = electionTimeout.toMillis();
    }

    /** Begins an epoch: nothing is known yet. */
    void begin(long newEpoch) {
        epoch = newEpoch;
        leads = true;
        asking = false;
        nextNanos = clock.nanos();
        untilNanos = nextNanos;
    }

    void end() {
        leads = false;
    }

    boolean isHeld() {
        return leads && clock.nanos() - untilNanos < 0;
    }

    /** Asks where that is due; returns how many things were done. */
    int poll(Node node) {
        if (!leads || asking || clock.nanos() - nextNanos < 0) {
            return 0;
        }
        asking = true;
        long askedNanos = clock.nanos();
        long askedIn = epoch;
        node.readIndex(NOTHING, new ReadIndexClosure(timeoutMillis) {
            @Override
            public void run(Status status, long index, byte[] context) {
                mailbox.offer(() -> answered(askedIn, askedNanos, status.isOk()));
            }
        });
        return 1;
    }

    private void answered(long askedIn, long askedNanos, boolean confirmed) {
        if (askedIn != epoch || !leads) {
            return;
        }
        asking = false;
        if (confirmed) {
            untilNanos = askedNanos + lengthNanos;
            nextNanos = askedNanos + lengthNanos / 4;
        } else {
            nextNanos = clock.nanos() + lengthNanos / 16;
        }
    }

    /** When {@link #poll} has something to ask; {@link Long#MAX_VALUE} for not by time alone. */
    long deadlineNanos() {
        return leads && !asking ? nextNanos : Long.MAX_VALUE;
    }
}
