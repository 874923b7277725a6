package io.duramen.replication.raft;

import io.duramen.log.LogConfig;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the log of the leader in place of a damaged one, while the replica does not run. Used by one thread, which it blocks.
 *
 * <p>The replica has told that it has entries which a copy may lack, and with them its vote for who leads. So it copies only from one
 * that leads in the epoch that it knows of, or a later one, that a majority follows without it, and that lends all it has
 * appended before it was asked. Whatever this replica has told, to that leader or one before, is in there, or is never committed. The
 * damaged log stays as it is until the other is there as a whole, and the vote is kept: whatever happens in between, the replica has
 * forgotten nothing. From where the other may count, the replica does not come back with the damaged one: a later start would put the
 * other in its place, which lacks what was stored since.
 */
public final class Replacement {
    private static final Logger LOG = LoggerFactory.getLogger(Replacement.class);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Where nobody leads for so many election timeouts, the others cannot do without this replica after all. */
    private static final int TIMEOUTS_PATIENT = 15;

    private final RaftReplica.Place place;
    private final LogConfig config;
    private final Mending mending;
    private final Others others;
    private String told = "";

    public Replacement(RaftReplica.Place place, LogConfig config) {
        this.place = place;
        this.config = config;
        this.mending = place.mending();
        this.others = new Others(place);
    }

    /**
     * Returns once another log is in place; or, where the old one can still be opened, once it is plain that the others need this replica as
     * it is.
     *
     * @param givenUp whether that is not wanted any more
     * @throws IOException where it was given up, or what was copied could not be put in place, which the next start goes on with
     */
    public void run(BooleanSupplier givenUp) throws IOException {
        LOG.info("This replica begins anew with what the leader has, since its log is damaged: {}", mending.damage());
        long endNanos = System.nanoTime()
                + TIMEOUTS_PATIENT * place.config().electionTimeout().toNanos();
        while (!givenUp.getAsBoolean()) {
            if (copied(givenUp)) {
                place.files().arrive();
                place.files().settle();
                LOG.info("This replica has the leader's log in place of its own, and takes part again");
                mending.ended(true);
                return;
            }
            if (mending.isStartable() && System.nanoTime() - endNanos >= 0) {
                LOG.warn("This replica takes part with its damaged log for now: {}", told);
                mending.ended(false);
                return;
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
        throw new IOException("the node ends before this replica has copied another's log");
    }

    private boolean copied(BooleanSupplier givenUp) throws IOException {
        try {
            VoteFile vote = new VoteFile(place.voteFile(), 0, cause -> {});
            vote.load(true);
            var leader = others.standings(place.roster().voters())
                    .leader()
                    .filter(other -> other.standing().epoch() >= vote.getTerm());
            if (leader.isEmpty()) {
                tell("none of the others leads");
                return false;
            }
            copyFrom(leader.get(), givenUp);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted before this replica has copied another's log", e);
        } catch (IOException e) {
            tell(String.valueOf(e.getMessage()));
            return false;
        }
    }

    private void copyFrom(Others.Other leader, BooleanSupplier givenUp) throws IOException, InterruptedException {
        try {
            new Copy(
                            place.client(),
                            new Copy.Source(
                                    leader.peer().toEngine().getEndpoint(),
                                    leader.standing().lender(),
                                    leader.standing().epoch()),
                            place.files(),
                            config,
                            place.config().copyBytesPerSecond())
                    .runConfirmed(givenUp);
        } catch (Copy.DamagedException e) {
            // It does not know, or it would not lead.
            others.ask(leader.peer(), leader.standing().lender(), LoanDesk.LOOK, 0);
            throw e;
        }
    }

    /** The same thing once. */
    private void tell(String reason) {
        if (!told.equals(reason)) {
            told = reason;
            LOG.info("Another's log is not copied yet: {}", reason);
        }
    }
}
