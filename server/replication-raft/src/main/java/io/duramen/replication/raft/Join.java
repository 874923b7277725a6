package io.duramen.replication.raft;

import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileResponse;
import io.duramen.log.LogConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
 * <p>One that is added, and has never had a vote, may do without the others: whoever leads is enough.
 */
public final class Join {
    private static final Logger LOG = LoggerFactory.getLogger(Join.class);
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final RaftReplica.Place place;
    private final LogConfig config;
    private String told = "";

    private record Other(RaftPeer peer, LoanDesk.Standing standing) {}

    public Join(RaftReplica.Place place, LogConfig config) {
        this.place = place;
        this.config = config;
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
                attempt();
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

    private void attempt() throws IOException, InterruptedException {
        List<Other> others = others();
        if (!Files.exists(place.files().log().resolve(ReplicaFiles.MEMBERS))) {
            copy(others);
            place.files().settle();
        }
        int own = place.config().peers().indexOf(place.config().self());
        for (Other other : others) {
            if (other.standing.seeds()) {
                ask(other.peer, other.standing.lender(), LoanDesk.JOINED, own);
            }
        }
    }

    private List<Other> others() throws IOException, InterruptedException {
        List<Other> others = new ArrayList<>();
        RaftPeer self = place.config().self();
        String question = LoanDesk.STANDING + place.config().group() + "/" + self.name();
        IOException silent = null;
        for (RaftPeer peer : place.config().peers()) {
            if (peer.equals(self)) {
                continue;
            }
            try {
                GetFileResponse answer = ask(peer, 0, question, 0);
                others.add(new Other(
                        peer, LoanDesk.Standing.decode(answer.getData().asReadOnlyByteBuffer())));
            } catch (IOException e) {
                silent = e;
            }
        }
        if (silent != null && others.stream().noneMatch(other -> other.standing.guest())) {
            throw silent;
        }
        return others;
    }

    private void copy(List<Other> others) throws IOException, InterruptedException {
        Other leader = others.stream()
                .filter(other -> other.standing.leads())
                .max((one, two) -> Long.compare(one.standing.epoch(), two.standing.epoch()))
                .orElseThrow(() -> new IOException("none of the others leads"));
        long highest =
                others.stream().mapToLong(other -> other.standing.epoch()).max().orElseThrow();
        long epoch = leader.standing.epoch();
        new Copy(
                        place.client(),
                        new Copy.Source(leader.peer.toEngine().getEndpoint(), leader.standing.lender(), epoch),
                        place.files(),
                        config,
                        place.config().copyBytesPerSecond())
                .runConfirmed();
        if (!leader.standing.guest()) {
            requireAllAsked();
        }
        PeerId votedFor = epoch == highest ? leader.peer.toEngine() : place.self();
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

    private GetFileResponse ask(RaftPeer peer, long number, String what, long offset)
            throws IOException, InterruptedException {
        GetFileRequest request = GetFileRequest.newBuilder()
                .setReaderId(number)
                .setFilename(what)
                .setOffset(offset)
                .setCount(0)
                .build();
        try {
            Object answer = place.client().invokeSync(peer.toEngine().getEndpoint(), request, null, TIMEOUT_MILLIS);
            if (answer instanceof ErrorResponse refusal) {
                throw new IOException(peer.name() + " says: " + refusal.getErrorMsg());
            }
            return (GetFileResponse) answer;
        } catch (RemotingException e) {
            throw new IOException(peer.name() + " does not answer", e);
        }
    }
}
