package io.duramen.replication.raft;

import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileResponse;
import io.duramen.runtime.Clock;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for another replica to lead while the disk of this one, which leads, has no room for a further segment: one that has what is
 * committed, and says itself that it has room. Where all are full, none is found, and this one goes on leading, so that consumers can
 * make room. Confined to the agent, but for what says otherwise.
 */
public final class RoomElsewhere {
    private static final Logger LOG = LoggerFactory.getLogger(RoomElsewhere.class);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int TIMEOUT_MILLIS = 1_000;

    private final RaftReplica.Place place;
    private final Copies copies;
    private final Mailbox mailbox;
    private final Clock clock;
    private final Own own;
    private boolean asked;
    private long askedNanos;
    private volatile Optional<RaftPeer> chosen = Optional.empty();

    /**
     * The replica that it is about.
     *
     * @param full whether its disk had no room for a further segment when it was asked last; asked from any thread
     * @param handOver has it lead no more, and that one lead
     */
    record Own(BooleanSupplier full, Consumer<RaftPeer> handOver) {}

    RoomElsewhere(RaftReplica.Place place, Copies copies, Mailbox mailbox, Clock clock, Own own) {
        this.place = place;
        this.copies = copies;
        this.mailbox = mailbox;
        this.clock = clock;
        this.own = own;
    }

    /** Whether this replica's disk had no room for a further segment when it was asked last. From any thread. */
    public boolean isNeeded() {
        return own.full.getAsBoolean();
    }

    /** Who leads in place of this replica, which has stepped down for want of room. From any thread. */
    public Optional<RaftPeer> chosen() {
        return chosen;
    }

    /** To be called while this replica leads, again and again; returns how many things were done. */
    int poll() {
        if (!isNeeded()) {
            asked = false;
            chosen = Optional.empty();
            return 0;
        }
        if (chosen.isEmpty() && (!asked || clock.nanos() - askedNanos >= PAUSE_NANOS)) {
            asked = true;
            askedNanos = clock.nanos();
            place.roster().voters().stream().filter(this::mayLead).forEach(this::ask);
        }
        return chosen.filter(copies::isInSync).map(this::handOver).orElse(0);
    }

    private int handOver(RaftPeer other) {
        LOG.warn("The disk has no room for a further segment: {} is to lead, which has some", other.name());
        own.handOver.accept(other);
        return 1;
    }

    private boolean mayLead(RaftPeer peer) {
        return !peer.equals(place.config().self()) && copies.isInSync(peer);
    }

    private void ask(RaftPeer peer) {
        String question = LoanDesk.ROOM + place.config().group() + "/" + peer.toEngine();
        try {
            place.client()
                    .invokeAsync(
                            peer.toEngine().getEndpoint(),
                            Others.request(0, question, 0),
                            null,
                            (answer, failure) -> {
                                if (answer instanceof GetFileResponse said && LoanDesk.isYes(said)) {
                                    mailbox.offer(() -> found(peer));
                                }
                            },
                            TIMEOUT_MILLIS);
        } catch (RemotingException e) {
            LOG.debug("{} does not say whether it has room", peer.name(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void found(RaftPeer peer) {
        if (asked && chosen.isEmpty()) {
            chosen = Optional.of(peer);
        }
    }
}
