package io.duramen.replication.raft;

import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileResponse;
import io.duramen.log.DamagedLogException;
import io.duramen.log.ShardLog;
import io.duramen.runtime.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that a replica with a damaged log ends, to begin anew with what another has: where it leads it hands over first, else it asks
 * the leader whether the others can do without it. Until then it takes part as before: what it has told that it has, it still has. One
 * that waits for what cannot be read is not chosen to lead, since it would lead nothing; where it has been, it hands over.
 * Confined to the agent; asks nothing of the engine.
 */
final class Relief {
    private static final Logger LOG = LoggerFactory.getLogger(Relief.class);

    /** A permission that comes later is of no use: the leader may have let another go since. */
    private static final int TIMEOUTS_VALID = 4;

    /** Who begins to lead waits for so long until others with damaged logs have asked. */
    private static final int TIMEOUTS_BEFORE_HANDING_OVER = 3;

    /** A leader's engine, of which a thread waits for what is damaged, may do nothing else: after so long it ends to lead. */
    private static final int TIMEOUTS_HELD = 2;

    private static final int TOLD_MAX = 16;

    private final RaftReplica.Place place;
    private final ShardLog log;
    private final Parts parts;
    private final Clock clock;
    private final Own own;
    private final long timeoutNanos;
    private boolean foundHere;
    private long stuckNanos;
    private long nextNanos;
    private final Set<String> told = new HashSet<>();

    /** Who reads what is damaged. */
    private final List<Runnable> held = new ArrayList<>();

    /** What it has to do with. */
    record Parts(Copies copies, Leaves leaves, Mailbox mailbox) {}

    /**
     * The replica that it is about.
     *
     * @param leader whom it takes for the leader
     * @param epoch that it knows of
     * @param stood whether it voted for itself in that one
     * @param handOver has it lead no more, and that one lead
     * @param leave ends it: what {@link Mending} tells is done before the next begins
     */
    record Own(
            BooleanSupplier leads,
            Supplier<Optional<RaftPeer>> leader,
            LongSupplier epoch,
            BooleanSupplier stood,
            Consumer<RaftPeer> handOver,
            Runnable leave) {}

    Relief(RaftReplica.Place place, ShardLog log, Parts parts, Clock clock, Own own) {
        this.place = place;
        this.log = log;
        this.parts = parts;
        this.clock = clock;
        this.own = own;
        this.timeoutNanos = place.config().electionTimeout().toNanos();
        this.nextNanos = clock.nanos() + timeoutNanos;
    }

    /** This replica begins to lead. */
    void lead() {
        nextNanos = clock.nanos() + TIMEOUTS_BEFORE_HANDING_OVER * timeoutNanos;
    }

    /** Whether the log is damaged, by what is known by now. */
    boolean isNeeded() {
        var damage = log.damage();
        if (damage.isPresent()) {
            place.mending().found(damage.get().toString());
            foundHere = true;
        } else if (foundHere) {
            place.mending().forget();
            place.mending().unstuck();
            foundHere = false;
        }
        return place.mending().isNeeded();
    }

    /** Who reads what is damaged waits for the next leader, or until it is not damaged any more. */
    void hold(Runnable ready) {
        held.add(ready);
    }

    private int letGo() {
        List<Runnable> all = List.copyOf(held);
        held.clear();
        all.forEach(Runnable::run);
        return all.size();
    }

    /** Why the engine did not start: what it did not get may be damaged. */
    IOException reasonOf(IOException failure) {
        return log.damage()
                .map(found -> new IOException(found.toString(), new DamagedLogException(found.toString())))
                .orElse(failure);
    }

    int poll() {
        if (!isNeeded()) {
            return letGo();
        }
        if (clock.nanos() - nextNanos < 0) {
            return 0;
        }
        nextNanos = clock.nanos() + timeoutNanos;
        boolean stuck = place.mending().isStuck();
        if (own.leads.getAsBoolean()) {
            handOver();
        } else if (!(stuck && own.stood.getAsBoolean() && handOver())) {
            // The engine tells nothing while it waits for what is damaged.
            whoMayLead(stuck).forEach(this::ask);
        }
        return 1;
    }

    private List<RaftPeer> whoMayLead(boolean anybody) {
        return place.roster().voters().stream()
                .filter(voter -> !voter.equals(place.config().self()))
                .filter(voter -> anybody || own.leader.get().equals(Optional.of(voter)))
                .toList();
    }

    /**
     * Has it wait for what cannot be read, or that it stores nothing any more, where others can help: what is due is done at once, and it is
     * not chosen to lead. Who has no vote is of no help to others, and is not helped.
     */
    boolean waits() {
        if (!isNeeded() || !place.roster().voters().contains(place.config().self())) {
            return false;
        }
        if (!place.mending().isStuck()) {
            place.mending().stuck();
            nextNanos = clock.nanos();
            stuckNanos = clock.nanos();
        }
        return true;
    }

    /** Whether the engine may be let wait for what is damaged, of one that {@link #waits}; else it is refused, and ends to lead. */
    boolean mayHold() {
        return !own.leads.getAsBoolean() || clock.nanos() - stuckNanos < TIMEOUTS_HELD * timeoutNanos;
    }

    /** When {@link #poll} has something to do; {@link Long#MAX_VALUE} for not by time alone. */
    long deadlineNanos() {
        return place.mending().isNeeded() ? nextNanos : Long.MAX_VALUE;
    }

    private boolean handOver() {
        Optional<RaftPeer> next = place.roster().voters().stream()
                .filter(voter -> !voter.equals(place.config().self()))
                .filter(voter -> parts.copies.isInSync(voter) && !parts.leaves.isDamaged(voter))
                .filter(place.mending().others()::mayLead)
                .findFirst();
        if (next.isEmpty()) {
            tell("none of the others is in sync and has a log that is intact");
            return false;
        }
        LOG.info(
                "This replica's log is damaged: {} is to lead in its place",
                next.get().name());
        place.mending().others().chosen(next.get());
        own.handOver.accept(next.get());
        return true;
    }

    private void ask(RaftPeer leader) {
        long askedNanos = clock.nanos();
        String question = LoanDesk.LEAVE + place.config().group() + "/"
                + place.config().self().name();
        try {
            place.client()
                    .invokeAsync(
                            leader.toEngine().getEndpoint(),
                            Others.request(0, question, 0),
                            null,
                            (answer, failure) -> parts.mailbox.offer(() -> answered(answer, askedNanos)),
                            TimeUnit.NANOSECONDS.toMillis(timeoutNanos));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RemotingException e) {
            tell(leader.name() + " does not answer");
        }
    }

    private void answered(Object answer, long askedNanos) {
        if (answer instanceof ErrorResponse refusal) {
            tell(refusal.getErrorMsg());
        } else if (answer instanceof GetFileResponse granted
                && granted.getData().size() == Long.BYTES) {
            long epoch = granted.getData().asReadOnlyByteBuffer().getLong();
            boolean valid = clock.nanos() - askedNanos < TIMEOUTS_VALID * timeoutNanos;
            if (valid && epoch >= own.epoch.getAsLong() && !own.leads.getAsBoolean() && isNeeded()) {
                place.mending().leave();
                own.leave.run();
            }
        }
    }

    /** The same thing once. */
    private void tell(String reason) {
        if (told.size() >= TOLD_MAX) {
            told.clear();
        }
        if (told.add(reason)) {
            LOG.info("This replica's log is damaged, and it stays as it is for now: {}", reason);
        }
    }
}
