package io.duramen.jms.branch;

import io.duramen.jms.delivery.Owing;
import io.duramen.jms.delivery.Settlement;
import io.duramen.jms.link.Call;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.EndBranch;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import javax.transaction.xa.XAException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread-safe. Rolls back branches of a connection: as their manager says, or, of what the node could not be told and may
 * have, by itself, on a thread that is there as long as there is any.
 *
 * <p>A branch whose prepare has failed is rolled back so, too: no manager commits what has not said that it is prepared, and
 * some never come again to the resource that failed. What was said earlier on the connection, the node decides earlier: a
 * prepare that is still on its way is rolled back, not missed.
 */
final class Rollbacks {
    private static final Logger LOG = LoggerFactory.getLogger(Rollbacks.class);
    private static final long PAUSE_MILLIS = 50;
    private static final long PAUSE_MILLIS_MAX = 2_000;

    private final Branches branches;
    // Guarded by this object.
    private boolean running;
    private boolean closed;

    Rollbacks(Branches branches) {
        this.branches = branches;
    }

    // ---- of which the node may know --------------------------------------------------------------------------------

    /**
     * Rolls back what was sent to prepare. Where it fails, that is tried again later by itself.
     *
     * @throws XAException XAER_RMFAIL where the node does not answer
     */
    void sayNow(Branch branch) throws XAException {
        ReentrantLock lock = branch.rollback();
        boolean awaited = !lock.tryLock();
        if (awaited) {
            lock.lock(); // no longer than a call of the node takes
        }
        try {
            if (branches.get(branch.id()) != branch) {
                return; // another has rolled it back meanwhile
            }
            if (awaited) {
                throw XaErrors.error(XAException.XAER_RMFAIL, "branch " + branch.id() + ": the node has not answered");
            }
            say(branch);
        } catch (JMSException e) {
            sayLater(branch);
            throw XaErrors.notEnded(e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The node brings back what the branch accepted; what of the same consumers waits unseen comes behind it. Before anything
     * passes to the application again the branch has nothing more to do with it.
     */
    private void say(Branch branch) throws JMSException {
        boolean[] ended = new boolean[1];
        try {
            branches.node().ask(link -> {
                Settlement.giveBackUnseen(link, branch.accepted().keySet(), () -> {
                    if (endsOnNode(branch)) {
                        ended[0] = true;
                        branches.done(branch);
                    }
                });
                return null;
            });
        } catch (JMSException e) {
            if (!ended[0]) {
                throw e;
            }
            LOG.debug("Branch {} is rolled back; what waited unseen goes back later", branch.id(), e);
        }
        if (!ended[0]) {
            giveBackUnknown(branch);
        }
    }

    /** Rolls back; false where the node does not know of it. */
    private boolean endsOnNode(Branch branch) throws JMSException {
        try {
            branches.node()
                    .ask(link -> Call.ask(
                            link,
                            new EndBranch.Request(branches.home(branch.id(), link), branch.id(), false),
                            EndBranch.Response.class));
            return true;
        } catch (JMSException e) {
            if (ErrorCode.BRANCH_NOT_FOUND.name().equals(e.getErrorCode())) {
                return false;
            }
            throw e;
        }
    }

    /** It was never prepared, or another has ended it. */
    private void giveBackUnknown(Branch branch) throws JMSException {
        branch.giveUp();
        try {
            giveBack(branch, branch.accepted());
        } catch (JMSException e) {
            if (XaErrors.isLost(e) && branches.node().isThere()) {
                throw e; // the node still lends it to this connection
            }
            LOG.debug("What branch {} held comes back with the end of its connection", branch.id(), e);
        }
        branches.done(branch);
    }

    /** Rolls it back on the node once that answers, without being told by a manager. Does not wait. */
    void sayLater(Branch branch) {
        branch.markRollbackUnsaid();
        synchronized (this) {
            if (!running && !closed) {
                running = true;
                Thread thread = new Thread(this::run, "duramen-rollbacks");
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    private void run() {
        long pause = PAUSE_MILLIS;
        try {
            for (Optional<Branch> next = next(pause); next.isPresent(); next = next(pause)) {
                pause = hasSaid(next.get()) ? PAUSE_MILLIS : Math.min(2 * pause, PAUSE_MILLIS_MAX);
            }
        } catch (InterruptedException e) {
            LOG.debug("Interrupted by someone: what is left is said after the next that fails");
            synchronized (this) {
                running = false;
            }
        }
    }

    /** Waits for the node to be there; empty, and the thread ends, when there are none, or the connection is closed. */
    private synchronized Optional<Branch> next(long pauseMillis) throws InterruptedException {
        if (!closed) {
            wait(pauseMillis);
        }
        while (!closed && !branches.node().isThere()) {
            wait(PAUSE_MILLIS);
        }
        Optional<Branch> next = closed ? Optional.empty() : branches.claimUnsaidRollback();
        running = next.isPresent();
        return next;
    }

    private boolean hasSaid(Branch branch) {
        try {
            sayNow(branch);
            return true;
        } catch (XAException e) {
            LOG.debug("The rollback of branch {} is said again in a moment", branch.id(), e);
            return false;
        }
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }

    // ---- of which the node does not know ---------------------------------------------------------------------------

    /** Rolls back what the node does not know of. */
    void giveBack(Branch branch) {
        branches.forget(branch);
        giveBackContent(branch);
    }

    void giveBackContent(Branch branch) {
        branch.giveUp();
        Map<Owing, List<Commit.ConsumerSettlement>> accepted = branch.takeAccepted();
        try {
            giveBack(branch, accepted);
        } catch (JMSException e) {
            // The connection is gone, and with it what it held: it comes again by itself.
            accepted.forEach((owing, settlements) -> settlements.forEach(owing::committed));
        }
    }

    private void giveBack(Branch branch, Map<Owing, List<Commit.ConsumerSettlement>> accepted) throws JMSException {
        if (!accepted.isEmpty()) {
            branches.node().ask(link -> {
                Settlement.giveBack(link, accepted, branch.rolledBackAs(), branch.refusal());
                return null;
            });
        }
    }
}
