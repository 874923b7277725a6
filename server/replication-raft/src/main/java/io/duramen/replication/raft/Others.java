package io.duramen.replication.raft;

import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The other replicas of a group, asked by one that does not run. Used by one thread, which it blocks. */
final class Others {
    private static final int TIMEOUT_MILLIS = 5_000;

    private final RaftReplica.Place place;

    /** One that answered. */
    record Other(RaftPeer peer, LoanDesk.Standing standing) {}

    /**
     * What they said.
     *
     * @param silence why one of them did not; empty where all did
     */
    record Answers(List<Other> others, Optional<IOException> silence) {
        /** Who leads, in the highest epoch of those that say so. */
        Optional<Other> leader() {
            return others.stream()
                    .filter(other -> other.standing.leads())
                    .max((one, two) -> Long.compare(one.standing.epoch(), two.standing.epoch()));
        }
    }

    Others(RaftReplica.Place place) {
        this.place = place;
    }

    /** @param peers this replica may be among them */
    Answers standings(List<RaftPeer> peers) throws InterruptedException {
        List<Other> others = new ArrayList<>();
        RaftPeer self = place.config().self();
        String question = LoanDesk.STANDING + place.config().group() + "/" + self.name();
        IOException silent = null;
        for (RaftPeer peer : peers) {
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
        return new Answers(others, Optional.ofNullable(silent));
    }

    /** @throws IOException where it refuses, or does not answer */
    GetFileResponse ask(RaftPeer peer, long number, String what, long offset) throws IOException, InterruptedException {
        GetFileRequest request = request(number, what, offset);
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

    /** A question to a {@link LoanDesk}. */
    static GetFileRequest request(long number, String what, long offset) {
        return GetFileRequest.newBuilder()
                .setReaderId(number)
                .setFilename(what)
                .setOffset(offset)
                .setCount(0)
                .build();
    }
}
