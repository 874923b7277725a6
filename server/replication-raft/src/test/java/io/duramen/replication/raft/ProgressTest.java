package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.rpc.InvokeCallback;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesResponse;
import com.google.protobuf.ByteString;
import io.duramen.runtime.SystemClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final RaftPeer OTHER = new RaftPeer("two", "127.0.0.1", 17_001);

    private final List<String> forgotten = new ArrayList<>();
    private final Progress progress = new Progress(new SystemClock(), () -> {}, (peer, what) -> forgotten.add(what));

    /** Asks for entries behind one; {@link #answer} answers that. */
    private InvokeCallback ask(long epoch, long behind, int entries) {
        AppendEntriesRequest.Builder request = AppendEntriesRequest.newBuilder()
                .setGroupId("g")
                .setServerId("one")
                .setPeerId("two")
                .setTerm(epoch)
                .setPrevLogTerm(epoch)
                .setPrevLogIndex(behind)
                .setCommittedIndex(behind)
                .setData(ByteString.EMPTY);
        for (int i = 0; i < entries; i++) {
            request.addEntriesBuilder()
                    .setTerm(epoch)
                    .setType(com.alipay.sofa.jraft.entity.EnumOutter.EntryType.ENTRY_TYPE_NO_OP)
                    .setDataLen(0);
        }
        return progress.watch(OTHER.toEngine().getEndpoint(), request.build(), new InvokeCallback() {
            @Override
            public void complete(Object answer, Throwable failure) {
                // The engine's affair.
            }

            @Override
            public Executor executor() {
                return Runnable::run;
            }
        });
    }

    private static void answer(InvokeCallback asked, long epoch) {
        asked.complete(
                AppendEntriesResponse.newBuilder()
                        .setTerm(epoch)
                        .setSuccess(true)
                        .setLastLogIndex(0)
                        .build(),
                null);
    }

    @Test
    void shouldCountAsStoredWhatEntriesWereAnsweredFor() {
        answer(ask(2, 7, 0), 2);
        assertThat(progress.of(OTHER).orElseThrow().storedIndex()).isZero();
        answer(ask(2, 7, 3), 2);
        answer(ask(2, 12, 0), 2);
        assertThat(progress.of(OTHER).orElseThrow().storedIndex()).isEqualTo(10);
        assertThat(progress.of(OTHER).orElseThrow().index()).isEqualTo(12);
    }

    /** Another leader may have taken back what was stored in between. */
    @Test
    void shouldCountNothingOfAnEarlierLeadershipWhenItsAnswersComeLate() {
        answer(ask(2, 7, 3), 2);
        InvokeCallback late = ask(2, 10, 90);
        answer(ask(4, 7, 1), 4);
        assertThat(progress.of(OTHER).orElseThrow().storedIndex()).isEqualTo(8);
        answer(late, 2);
        assertThat(progress.of(OTHER).orElseThrow().storedIndex()).isEqualTo(8);
    }

    /** It comes with nothing: it is not in sync by what it had before, and has not forgotten anything. */
    @Test
    void shouldCountNothingOfBeforeOnceSomebodyBeginsAnew() {
        answer(ask(2, 7, 3), 2);
        InvokeCallback late = ask(2, 10, 5);
        InvokeCallback later = ask(2, 10, 0);

        progress.begins(OTHER);
        answer(late, 2);
        refuse(later, 2, 0);
        assertThat(progress.of(OTHER)).isEmpty();

        refuse(ask(2, 15, 0), 2, 0);
        assertThat(forgotten).isEmpty();
        answer(ask(2, 0, 4), 2);
        assertThat(progress.of(OTHER).orElseThrow().storedIndex()).isEqualTo(4);
    }

    /** Who was asked before it had told that, or is asked by a later leader, need not have it. */
    @Test
    void shouldNoticeWhoHasLessThanItHadToldBeforeItWasAsked() {
        InvokeCallback early = ask(2, 10, 0);
        answer(ask(2, 7, 3), 2);
        refuse(early, 2, 7);
        refuse(ask(2, 20, 0), 2, 10);
        assertThat(forgotten).isEmpty();
        InvokeCallback later = ask(2, 20, 0);
        refuse(ask(4, 20, 0), 4, 8);
        refuse(later, 2, 9);

        assertThat(forgotten).containsExactly("had stored entry 10, and has none behind 9");
    }

    private static void refuse(InvokeCallback asked, long epoch, long lastIndex) {
        asked.complete(
                AppendEntriesResponse.newBuilder()
                        .setTerm(epoch)
                        .setSuccess(false)
                        .setLastLogIndex(lastIndex)
                        .build(),
                null);
    }
}
