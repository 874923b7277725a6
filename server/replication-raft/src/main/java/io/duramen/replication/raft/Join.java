package io.duramen.replication.raft;

import com.alipay.sofa.jraft.entity.PeerId;
import io.duramen.log.LogConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a replica with a new directory into a group that has entries: in place of one that is lost, or where a log of one node is to be
 * a group's. It takes no part before it has all that the leader has. Used by one thread, which it blocks.
 *
 * <p>The one that is lost may have voted in epochs that only a candidate knows of, and have told that it stored what few others
 * have. So all others have to answer: none of them talks with the lost one any more, none was a candidate in an epoch beyond the highest
 * that they tell, and in that one this replica gives nobody its vote but who leads then. And what is copied is what a leader has whom a
 * majority of them has confirmed.
 *
 * <p>One that is added, and has never had a vote, or has kept what it had voted, may do without the others: whoever leads is enough.
 */
public final class Join {
    private static final Logger LOG = LoggerFactory.getLogger(Join.class);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final RaftReplica.Place place;
    private final LogConfig config;
    private final Others asked;
    private String told = "";

    public Join(RaftReplica.Place place, LogConfig config) {
        this.place = place;
        this.config = config;
        this.asked = new Others(place);
    }

    /**
     * Returns once log and image are in place.
     *
     * @param givenUp whether that is not wanted any more
     * @throws IOException where it was given up
     */
    public void run(BooleanSupplier givenUp) throws IOException {
        while (!givenUp.getAsBoolean()) {
            try {
                attempt(givenUp);
                LOG.info("This node has what the others have, and takes part from here on");
                return;
            } catch (IOException e) {
                if (!told.equals(e.getMessage())) {
                    told = String.valueOf(e.getMessage());
                    LOG.info("This node's directory is new, and it is not taken in yet: {}", told);
                }
                LockSupport.parkNanos(this, PAUSE_NANOS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted before this node was taken in", e);
            }
        }
        throw new IOException("the node ends before it was taken in");
    }

    /**
     * Whether one of the others waits for this one to copy what it had as a node by itself. Blocking.
     *
     * @throws IOException where this was interrupted
     */
    public boolean isSeeded() throws IOException {
        try {
            return asked.standings(place.config().peers()).others().stream()
                    .anyMatch(other -> other.standing().seeds());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted before this node was taken in", e);
        }
    }

    private void attempt(BooleanSupplier givenUp) throws IOException, InterruptedException {
        Others.Answers others = others();
        if (!Files.exists(place.files().log().resolve(ReplicaFiles.MEMBERS))) {
            copy(others, givenUp);
            place.files().settle();
        }
        int own = place.config().peers().indexOf(place.config().self());
        for (Others.Other other : others.others()) {
            if (other.standing().seeds()) {
                asked.ask(other.peer(), other.standing().lender(), LoanDesk.JOINED, own);
            }
        }
    }

    private Others.Answers others() throws IOException, InterruptedException {
        Others.Answers answers = asked.standings(place.config().peers());
        boolean isGuest = place.files().haveVote()
                || answers.others().stream().anyMatch(other -> other.standing().guest());
        if (answers.silence().isPresent() && !isGuest) {
            throw answers.silence().get();
        }
        return answers;
    }

    private void copy(Others.Answers others, BooleanSupplier givenUp) throws IOException, InterruptedException {
        Others.Other leader = others.leader().orElseThrow(() -> new IOException("none of the others leads"));
        long highest = others.others().stream()
                .mapToLong(other -> other.standing().epoch())
                .max()
                .orElseThrow();
        long epoch = leader.standing().epoch();
        new Copy(
                        place.client(),
                        new Copy.Source(
                                leader.peer().toEngine().getEndpoint(),
                                leader.standing().lender(),
                                epoch),
                        place.files(),
                        config,
                        place.config().copyBytesPerSecond())
                .runConfirmed(givenUp);
        if (place.files().haveVote()) {
            place.files().arrive();
            return;
        }
        if (!leader.standing().guest()) {
            requireAllAsked();
        }
        PeerId votedFor = epoch == highest ? leader.peer().toEngine() : place.self();
        VoteFile vote = new VoteFile(
                new PathFile(place.files().arriving().resolve("log").resolve(ReplicaFiles.VOTE)), 0, cause -> {});
        vote.load(false);
        vote.setTermAndVotedFor(highest, votedFor);
        ReplicaFiles.sync(place.files().arriving().resolve("log"));
        place.files().arrive();
    }

    /** What has arrived tells who belongs to the group: who was not asked may know of a later epoch than the others. */
    private void requireAllAsked() throws IOException {
        List<RaftPeer> asked = place.config().peers();
        Path arrived = place.files().arriving().resolve("log");
        for (RaftPeer voter : Roster.of(new ReplicaFiles(arrived), asked).voters()) {
            if (!asked.contains(voter)) {
                throw new IOException(voter + " belongs to the cluster, and cluster.nodes does not name it");
            }
        }
    }
}
