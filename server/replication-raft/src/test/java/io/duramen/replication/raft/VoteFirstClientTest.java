package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.InvokeContext;
import com.alipay.sofa.jraft.rpc.RpcClient;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;
import io.duramen.runtime.SystemClock;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Goal: no request for a vote is on its way before the epoch and the own vote are on disk. */
class VoteFirstClientTest {
    private static final PeerId SELF = new PeerId("127.0.0.1", 1);
    private static final PeerId OTHER = new PeerId("127.0.0.1", 2);

    private final FaultyFile file = new FaultyFile();

    /** For each request sent: who was voted for, in which epoch, by what a restart would find. */
    private final List<String> onDiskWhenSent = new ArrayList<>();

    private VoteFirstClient client;
    private boolean mayStand = true;

    @BeforeEach
    void open() throws IOException {
        VoteFile vote = load();
        RpcClient recording = (RpcClient) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {RpcClient.class}, (proxy, method, arguments) -> {
                    VoteFile found = load();
                    onDiskWhenSent.add(method.getName() + " " + found.getTerm() + " " + found.getVotedFor());
                    return null;
                });
        client = new VoteFirstClient(
                recording, vote, SELF, () -> mayStand, new Progress(new SystemClock(), () -> {}, (peer, what) -> {}));
    }

    @Test
    void shouldHaveStoredTheVoteWhenAskingForOthers() throws Exception {
        ask(3, false);

        assertThat(onDiskWhenSent).containsExactly("invokeAsync 3 " + SELF);
    }

    @Test
    void shouldStoreNothingWhenOnlyProbing() throws Exception {
        ask(3, true);

        assertThat(onDiskWhenSent).containsExactly("invokeAsync 0 " + PeerId.emptyPeer());
    }

    @Test
    void shouldSendNothingWhenTheVoteCannotBeStored() throws Exception {
        file.fail();

        assertThatThrownBy(() -> ask(3, false)).isInstanceOf(RemotingException.class);
        file.mend();
        assertThatThrownBy(() -> ask(4, false)).isInstanceOf(RemotingException.class);
        assertThat(onDiskWhenSent).isEmpty();
    }

    @Test
    void shouldAskNobodyWhileItIsKeptFromLeading() throws Exception {
        mayStand = false;

        assertThatThrownBy(() -> ask(3, true)).isInstanceOf(RemotingException.class);
        assertThatThrownBy(() -> ask(3, false)).isInstanceOf(RemotingException.class);
        assertThat(onDiskWhenSent).isEmpty();
        assertThat(load().getTerm()).isZero();
        mayStand = true;
        ask(3, false);
        assertThat(onDiskWhenSent).hasSize(1);
    }

    /** Who dies between sending and what the engine stores then, finds its own vote, and has none left for another. */
    @Test
    void shouldHaveNoSecondVoteWhenItDiesBehindTheRequest() throws Exception {
        ask(3, false);
        VoteFile afterRestart = load();

        assertThatThrownBy(() -> afterRestart.setVotedFor(OTHER)).isInstanceOf(IllegalStateException.class);
        assertThat(afterRestart.getVotedFor()).isEqualTo(SELF);
    }

    private void ask(long epoch, boolean probe) throws Exception {
        RequestVoteRequest request = RequestVoteRequest.newBuilder()
                .setGroupId("group")
                .setServerId(SELF.toString())
                .setPeerId(OTHER.toString())
                .setTerm(epoch)
                .setLastLogIndex(1)
                .setLastLogTerm(1)
                .setPreVote(probe)
                .build();
        client.invokeAsync(OTHER.getEndpoint(), request, new InvokeContext(), (result, error) -> {}, 1_000);
    }

    private VoteFile load() throws IOException {
        VoteFile vote = new VoteFile(file, 0, cause -> {});
        vote.load(false);
        return vote;
    }
}
