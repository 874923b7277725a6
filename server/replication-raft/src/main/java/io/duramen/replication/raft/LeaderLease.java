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

    /** The engine would tell the time for it by a thread that wakes each millisecond. */
    private static final int WITHOUT_TIMEOUT = -1;

    private final Clock clock;
    private final Mailbox mailbox;
    private final long lengthNanos;
    private final long timeoutNanos;
    private long untilNanos;
    private long nextNanos;
    private boolean leads;
    private long questions;

    LeaderLease(Clock clock, Mailbox mailbox, Duration electionTimeout) {
        this.clock = clock;
        this.mailbox = mailbox;
        this.lengthNanos = electionTimeout.toNanos() * 4 / 5;
        this.timeoutNanos = electionTimeout.toNanos();
    }

    /** Begins an epoch: nothing is known yet. */
    void begin() {
        questions++;
        leads = true;
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
        if (!leads || clock.nanos() - nextNanos < 0) {
            return 0;
        }
        long askedNanos = clock.nanos();
        nextNanos = askedNanos + timeoutNanos; // Asked again then, where nobody answers.
        long question = ++questions;
        node.readIndex(NOTHING, new ReadIndexClosure(WITHOUT_TIMEOUT) {
            @Override
            public void run(Status status, long index, byte[] context) {
                mailbox.offer(() -> answered(question, askedNanos, status.isOk()));
            }
        });
        return 1;
    }

    private void answered(long question, long askedNanos, boolean confirmed) {
        if (question != questions || !leads) {
            return;
        }
        if (confirmed) {
            untilNanos = askedNanos + lengthNanos;
            nextNanos = askedNanos + lengthNanos / 4;
        } else {
            nextNanos = clock.nanos() + lengthNanos / 16;
        }
    }

    /** When {@link #poll} has something to ask; {@link Long#MAX_VALUE} for not by time alone. */
    long deadlineNanos() {
        return leads ? nextNanos : Long.MAX_VALUE;
    }
}
