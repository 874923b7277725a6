package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.entity.EnumOutter.EntryType;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.entity.LogId;
import io.duramen.log.EntryBuffer;
import io.duramen.log.ShardLog;
import io.duramen.runtime.SystemClock;
import io.duramen.runtime.disk.FileDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the engine is told of entries that cannot be read: of one that it is told nothing of it never lets go. */
class EngineLogStorageTest {
    private static final int EPOCH = 5;
    private static final int ENTRIES = 300;
    private static final RaftPeer SELF = new RaftPeer("one", "127.0.0.1", 1);
    private static final RaftPeer OTHER = new RaftPeer("two", "127.0.0.1", 2);

    @TempDir
    Path directory;

    private final Mailbox mailbox = new Mailbox();
    private final CountDownLatch end = new CountDownLatch(1);
    private FileDisk disk;
    private ShardLog log;
    private StoredLog stored;
    private EngineLogStorage storage;
    private Thread agent;

    @BeforeEach
    void open() throws Exception {
        disk = new FileDisk(directory);
        log = new ShardLog(disk, new SystemClock(), Replica.CONFIG, 7);
        log.openUncommitted(0);
        RaftConfig config = new RaftConfig("group", SELF, List.of(SELF, OTHER), Duration.ofSeconds(1));
        MembersFile members = new MembersFile(new PathFile(directory.resolve(ReplicaFiles.MEMBERS)));
        members.load(0, config.members());
        stored = new StoredLog(log, Replica.CONFIG, members, () -> {}, () -> false, cause -> {});
        stored.opened(0);
        storage = new EngineLogStorage(mailbox, stored, List.of());
        for (int i = 1; i <= ENTRIES; i++) {
            EntryBuffer entry = log.newEntry();
            entry.addControl((byte) 9, ByteBuffer.allocate(1000));
            log.append(log.detach(entry, true), EPOCH);
            while (log.durableIndex() < i) {
                turn();
            }
            log.committed(i); // so that it need not stay in memory
        }
        assertThat(log.isCached(ENTRIES / 2)).isFalse();
        stored.opened(0);
    }

    private void turn() {
        if (mailbox.drain() + disk.poll() + log.poll() + stored.poll() == 0) {
            LockSupport.parkNanos(100_000);
        }
    }

    private void beginAgent() {
        agent = new Thread(() -> {
            while (end.getCount() > 0) {
                turn();
            }
        });
        agent.start();
    }

    @AfterEach
    void close() throws InterruptedException {
        end.countDown();
        agent.join();
        log.close();
    }

    @Test
    void shouldBearItsEpochAndNoContentWhenAnEntryIsDamaged() throws IOException {
        damage();
        beginAgent();

        LogEntry entry = firstUnreadable();
        assertThat(stored.failure()).isNotNull();
        assertThat(entry.getId().getTerm()).isEqualTo(EPOCH);
        assertThat(entry.getPeers()).as("with which the engine would send it").isNull();
        assertThat(entry.getData().hasRemaining()).isFalse();
    }

    @Test
    void shouldTellTheEpochsOfAllOthersWhenOneCouldNotBeRead() throws IOException {
        damage();
        beginAgent();
        firstUnreadable();

        for (long index = 1; index <= ENTRIES; index++) {
            assertThat(storage.getEntry(index).getId()).isEqualTo(new LogId(index, EPOCH));
        }
        assertThat(storage.getEntry(ENTRIES + 1)).isNull();
        assertThat(storage.getEntry(0)).isNull();
    }

    private LogEntry firstUnreadable() {
        return LongStream.rangeClosed(1, ENTRIES)
                .mapToObj(storage::getEntry)
                .filter(entry -> entry.getType() == EntryType.ENTRY_TYPE_CONFIGURATION)
                .findFirst()
                .orElseThrow();
    }

    /** Of an entry in the second segment, in the middle. */
    private void damage() throws IOException {
        Path second;
        try (var files = Files.list(directory)) {
            second = files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList()
                    .get(1);
        }
        byte[] bytes = Files.readAllBytes(second);
        bytes[bytes.length / 2] ^= 1;
        Files.write(second, bytes);
    }
}
