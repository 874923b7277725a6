package io.duramen.replication.raft;

import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * How this replica and its leader find out from where on it lacks entries, as far as the engine does not see to that.
 *
 * <p>The engine's leader remembers of each follower behind which entry it goes on. Where that is deleted, it has the follower copy, and
 * asks again after that, by its mark: it takes no notice of how far the log goes that the follower has begun anew with. So one that
 * has the entry of the mark says so at once. That is a hint and no more: what the leader sends behind it is checked against that entry.
 *
 * <p>And it remembers wrongly where answers got lost. So the engine of a follower is told to forget entries only once the leader has
 * said that it goes on behind them; else it would be asked about one that it knows nothing of, and each before that, one by one.
 *
 * <p>From any thread.
 */
final class Following implements Followers.Follower {
    private final Mailbox mailbox;
    private final StoredLog stored;
    private final LongSupplier knownEpoch;
    private volatile long behindIndex;

    /** @param knownEpoch that the replica knows of; asked from any thread */
    Following(Mailbox mailbox, StoredLog stored, LongSupplier knownEpoch) {
        this.mailbox = mailbox;
        this.stored = stored;
        this.knownEpoch = knownEpoch;
    }

    @Override
    public CompletableFuture<Boolean> has(long index, long epoch) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        if (!mailbox.offer(() -> answer.complete(stored.has(index, epoch)))) {
            answer.complete(false);
        }
        return answer;
    }

    @Override
    public synchronized void goesOnBehind(long index, long epoch) {
        if (epoch >= knownEpoch.getAsLong()) {
            behindIndex = Math.max(behindIndex, index);
        }
    }

    @Override
    public boolean hasRoom() {
        return !stored.isFull();
    }

    /** Whether a leader has said that it goes on behind a later entry than that. */
    boolean isFurtherThan(long index) {
        return behindIndex > index;
    }
}
