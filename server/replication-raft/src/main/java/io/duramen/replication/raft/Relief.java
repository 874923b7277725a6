package io.duramen.replication.raft;

import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileResponse;
import io.duramen.runtime.Clock;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for another replica to lead while the disk of this one, which leads, has no room for a further segment: one that has what is
 * committed, and says itself that it has room. Where all are full, none is found, and this one goes on leading, so that consumers can
 * make room. Confined to the agent, but for {@link #chosen}.
 */
final class Relief {
    private static final Logger LOG = LoggerFactory.getLogger(Relief.class);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int TIMEOUT_MILLIS = 1_000;

    private final RaftReplica.Place place;
    private final Copies copies;
    private final Mailbox mailbox;
    private final Clock clock;
    private boolean asked;
    private long askedNanos;
    private volatile Optional<RaftPeer> chosen = Optional.empty();

    Relief(RaftReplica.Place place, Copies copies, Mailbox mailbox, Clock clock) {
        this.place = place;
        this.copies = copies;
        this.mailbox = mailbox;
        this.clock = clock;
    }

    /** Who was found; from any thread. */
    Optional<RaftPeer> chosen() {
        return chosen;
    }

    /**
     * To be called while this replica leads, again and again.
     *
     * @param full whether it has no room
     * @return who is to lead in its place, once; empty where none was found yet, or none is needed
     */
    Optional<RaftPeer> poll(boolean full) {
        if (!full) {
            asked = false;
            chosen = Optional.empty();
            return chosen;
        }
        if (chosen.isEmpty() && (!asked || clock.nanos() - askedNanos >= PAUSE_NANOS)) {
            asked = true;
            askedNanos = clock.nanos();
            place.roster().voters().stream().filter(this::mayLead).forEach(this::ask);
        }
        return chosen.filter(copies::isInSync);
    }

    private boolean mayLead(RaftPeer peer) {
        return !peer.equals(place.config().self()) && copies.isInSync(peer);
    }

    private void ask(RaftPeer peer) {
        GetFileRequest question = GetFileRequest.newBuilder()
                .setReaderId(0)
                .setFilename(LoanDesk.ROOM + place.config().group() + "/" + peer.toEngine())
                .setOffset(0)
                .setCount(0)
                .build();
        try {
            place.client()
                    .invokeAsync(
                            peer.toEngine().getEndpoint(),
                            question,
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
