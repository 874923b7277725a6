package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.closure.ReadIndexClosure;
import com.alipay.sofa.jraft.entity.EnumOutter.EntryType;
import com.alipay.sofa.jraft.entity.RaftOutter.EntryMeta;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.google.protobuf.ByteString;
import io.duramen.log.EntryBuffer;
import io.duramen.log.ShardLog;
import io.duramen.runtime.SystemClock;
import io.duramen.runtime.disk.FileDisk;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LendingTest {
    private static final RaftPeer SELF = new RaftPeer("one", "127.0.0.1", 1);
    private static final RaftPeer OTHER = new RaftPeer("two", "127.0.0.1", 2);
    private static final int EPOCH = 5;

    @TempDir
    Path directory;

    private final SystemClock clock = new SystemClock();
    private final Mailbox mailbox = new Mailbox();
    private final Progress progress = new Progress(clock, () -> {});
    private FileDisk disk;
    private ShardLog log;
    private Lending lending;
    private ReadIndexClosure question;

    /** Answers nothing but whether a majority follows: what it would be asked besides, it may answer under its lock. */
    private final Node engine = (Node) Proxy.newProxyInstance(
            Node.class.getClassLoader(), new Class<?>[] {Node.class}, (proxy, method, arguments) -> {
                assertThat(method.getName()).isEqualTo("readIndex");
                question = (ReadIndexClosure) arguments[1];
                return null;
            });

    @BeforeEach
    void open() throws Exception {
        ReplicaFiles files = new ReplicaFiles(directory);
        Files.createDirectories(files.log());
        Files.createFile(files.log().resolve(ReplicaFiles.MEMBERS));
        disk = new FileDisk(files.log());
        log = new ShardLog(disk, clock, Replica.CONFIG, 7);
        log.openUncommitted(0);
        RaftConfig config = new RaftConfig("group", SELF, List.of(SELF, OTHER), Duration.ofSeconds(1));
        RaftReplica.Place place = new RaftReplica.Place(config, files, null, new LoanDesk());
        lending = new Lending(place, log, () -> EPOCH, progress, mailbox, clock);
        lending.open();
    }

    @AfterEach
    void close() {
        lending.close();
        log.close();
    }

    @Test
    void shouldWaitForWhatWasSentWhenItIsNotWrittenYet() throws IOException {
        append();
        write();
        append(); // which the engine sends before it is written
        sent(EPOCH, 2);
        CompletableFuture<Loan> loan = ask(true);
        poll();
        assertThat(loan).as("a majority is asked first").isNotDone();
        question.run(Status.OK(), 1, new byte[0]);
        poll();
        assertThat(loan).as("entry 2 is not written").isNotDone();

        write();
        poll();

        assertThat(loan).isCompletedWithValueMatching(lent -> lent.listing().lastIndex() == 2);
    }

    @Test
    void shouldNotWaitWhenWhoAsksHasLostNothing() throws IOException {
        append();
        write();
        append();
        sent(EPOCH, 2);
        CompletableFuture<Loan> loan = ask(false);
        poll();

        assertThat(loan).isCompletedWithValueMatching(lent -> lent.listing().lastIndex() == 1);
    }

    @Test
    void shouldRefuseWhenItHasNotLedInThatEpoch() {
        sent(EPOCH - 1, 2);
        CompletableFuture<Loan> loan = ask(false);
        poll();

        assertThat(loan).isCompletedExceptionally();
    }

    private CompletableFuture<Loan> ask(boolean confirmed) {
        return lending.begin(EPOCH, confirmed);
    }

    private void poll() {
        mailbox.drain();
        lending.poll(engine);
    }

    private void append() throws IOException {
        EntryBuffer entry = log.newEntry();
        entry.addControl((byte) 9, ByteBuffer.allocate(10));
        log.append(log.detach(entry, true), EPOCH);
    }

    private void write() {
        while (log.durableIndex() < log.lastIndex()) {
            if (log.poll() + disk.poll() == 0) {
                disk.awaitDue();
            }
        }
    }

    private void sent(long epoch, int entries) {
        AppendEntriesRequest.Builder request = AppendEntriesRequest.newBuilder()
                .setGroupId("group")
                .setServerId(SELF.name())
                .setPeerId(OTHER.name())
                .setTerm(epoch)
                .setPrevLogTerm(0)
                .setPrevLogIndex(0)
                .setCommittedIndex(0)
                .setData(ByteString.EMPTY);
        for (int i = 0; i < entries; i++) {
            request.addEntries(EntryMeta.newBuilder().setTerm(epoch).setType(EntryType.ENTRY_TYPE_DATA));
        }
        progress.watch(OTHER.toEngine().getEndpoint(), request.build(), (answer, failure) -> {});
    }
}
