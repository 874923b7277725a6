package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: nobody votes twice in an epoch, at whichever step of an election it dies. */
class VoteOnDiskTest {
    @TempDir
    Path directory;

    private Trio trio;

    @BeforeEach
    void open() throws IOException {
        trio = new Trio(directory);
    }

    @AfterEach
    void close() {
        trio.close();
    }

    /** @param onDisk its vote file when its first request was about to go out */
    private record Died(RaftPeer candidate, RequestVoteRequest request, byte[] onDisk) {}

    /** A candidate dies when its first request is on its way, and before the engine has stored the vote for itself. */
    @Test
    void shouldHaveNoVoteLeftForAnotherWhenACandidateDiesBehindItsRequest() throws Exception {
        RaftPeer leader = trio.awaitLeader(0);
        trio.replica(leader).append(1, 100, true);
        trio.awaitEverywhere(1);
        AtomicReference<Died> first = new AtomicReference<>();
        trio.network.onAsking = (from, request) -> {
            if (request instanceof RequestVoteRequest asked && !asked.getPreVote()) {
                first.compareAndSet(null, new Died(from, asked, voteFileOf(from)));
                throw new RemotingException("it dies");
            }
        };
        trio.network.cutOff(leader);
        trio.until("a candidate", () -> first.get() != null);
        Died died = first.get();
        trio.closeWhileOthersWork(died.candidate());
        Files.write(trio.directory(died.candidate()).resolve(ReplicaFiles.VOTE), died.onDisk());

        assertThat(load(died.candidate()).getTerm()).isEqualTo(died.request().getTerm());
        assertThat(load(died.candidate()).getVotedFor())
                .isEqualTo(died.candidate().toEngine());
        trio.open(died.candidate());
        RaftPeer other = trio.others(died.candidate()).stream()
                .filter(peer -> !peer.equals(leader))
                .findFirst()
                .orElseThrow();
        trio.network.onAsking = (from, request) -> {};
        assertThat(grants(other, died.candidate(), died.request().getTerm())).isFalse();
        trio.network.heal(leader);
        assertGoesOn();
    }

    /** Whoever gives its vote has it on disk before that is answered. */
    @Test
    void shouldHaveStoredWhomItVotesForWhenItsVoteGoesOut() throws IOException {
        RaftPeer leader = trio.awaitLeader(0);
        trio.replica(leader).append(1, 100, true);
        trio.awaitEverywhere(1);
        Queue<String> given = new ConcurrentLinkedQueue<>();
        Queue<String> notStored = new ConcurrentLinkedQueue<>();
        trio.network.onAnswering = (from, request, response) -> {
            boolean granted = response instanceof RequestVoteResponse vote && vote.getGranted();
            if (granted && request instanceof RequestVoteRequest asked && !asked.getPreVote()) {
                VoteFile found = load(from);
                given.add(from.name());
                if (found.getTerm() < asked.getTerm()
                        || found.getTerm() == asked.getTerm()
                                && !found.getVotedFor().toString().equals(asked.getServerId())) {
                    notStored.add(from + " in epoch " + asked.getTerm());
                }
            }
        };
        long epoch = trio.replica(leader).epoch;
        trio.network.cutOff(leader);
        RaftPeer next = trio.awaitLeader(epoch);
        assertThat(given).isNotEmpty();
        assertThat(notStored).isEmpty();
        RaftPeer voter = trio.others(leader).stream()
                .filter(peer -> !peer.equals(next))
                .findFirst()
                .orElseThrow();
        assertThat(load(voter).getVotedFor()).isEqualTo(next.toEngine());
        trio.network.heal(leader);
        assertGoesOn();
    }

    private void assertGoesOn() {
        RaftPeer next = trio.awaitLeader(0);
        trio.until("an entry everywhere", () -> {
            if (trio.replica(next).leads() && trio.replica(next).bodies.size() < 2) {
                trio.replica(next).append(2, 100, true);
            }
            return trio.peers.stream()
                    .anyMatch(peer -> trio.replica(peer).bodies.size() > 1);
        });
    }

    /** As a start would find it. */
    private VoteFile load(RaftPeer peer) {
        VoteFile vote = new VoteFile(new PathFile(trio.directory(peer).resolve(ReplicaFiles.VOTE)), 0, cause -> {});
        try {
            vote.load(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return vote;
    }

    private byte[] voteFileOf(RaftPeer peer) {
        try {
            return Files.readAllBytes(trio.directory(peer).resolve(ReplicaFiles.VOTE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Asked by one whose log is as long as any. */
    private boolean grants(RaftPeer asker, RaftPeer voter, long epoch) throws Exception {
        RequestVoteRequest request = RequestVoteRequest.newBuilder()
                .setGroupId("trio")
                .setServerId(asker.toEngine().toString())
                .setPeerId(voter.toEngine().toString())
                .setTerm(epoch)
                .setLastLogIndex(1_000_000)
                .setLastLogTerm(epoch)
                .setPreVote(false)
                .build();
        CompletableFuture<Object> answer = new CompletableFuture<>();
        trio.network
                .clientOf(asker)
                .invokeAsync(
                        voter.toEngine().getEndpoint(),
                        request,
                        null,
                        (result, failure) -> answer.complete(failure == null ? result : failure),
                        10_000);
        trio.until("an answer", answer::isDone);
        return ((RequestVoteResponse) answer.get()).getGranted();
    }
}
