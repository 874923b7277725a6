package io.duramen.replication.raft;

import com.alipay.sofa.jraft.conf.ConfigurationManager;
import com.alipay.sofa.jraft.entity.EnumOutter.EntryType;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.entity.LogId;
import com.alipay.sofa.jraft.option.LogStorageOptions;
import com.alipay.sofa.jraft.storage.LogStorage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine's view of the shard log. Called by the engine's threads, which wait here until the shard's agent has done what they
 * ask; never by the agent itself. Entries read from the disk are kept a while, since most readers go on with the next one.
 */
final class EngineLogStorage implements LogStorage {
    private static final Logger LOG = LoggerFactory.getLogger(EngineLogStorage.class);
    private static final int BATCHES_MAX = 4;

    private final Mailbox mailbox;
    private final StoredLog stored;
    private final List<MembersFile.Change> changes;
    private final ArrayDeque<List<LogEntry>> batches = new ArrayDeque<>();

    /** Ascends with each cut: what was read before may not be kept after it. */
    private long cuts;

    /** @param changes of the group's members up to now, oldest first */
    EngineLogStorage(Mailbox mailbox, StoredLog stored, List<MembersFile.Change> changes) {
        this.mailbox = mailbox;
        this.stored = stored;
        this.changes = List.copyOf(changes);
    }

    @Override
    public boolean init(LogStorageOptions options) {
        ConfigurationManager manager = options.getConfigurationManager();
        for (MembersFile.Change change : changes) {
            // The engine takes no members of epoch 0 for members; those of the start have none.
            manager.add(change.members().toEngine(change.index(), Math.max(1, change.epoch())));
        }
        return true;
    }

    @Override
    public void shutdown() {
        // The agent closes the log, once the engine has ended.
    }

    @Override
    public long getFirstLogIndex() {
        return stored.firstIndex();
    }

    @Override
    public long getLastLogIndex() {
        return stored.lastIndex();
    }

    @Override
    public LogEntry getEntry(long index) {
        long cutsBefore;
        synchronized (this) {
            LogEntry kept = kept(index);
            if (kept != null) {
                return kept;
            }
            cutsBefore = cuts;
        }
        List<LogEntry> batch = ask(answer -> stored.read(index, answer), List.of());
        synchronized (this) {
            if (cutsBefore == cuts && batch.size() > 1) {
                batches.addFirst(batch);
                if (batches.size() > BATCHES_MAX) {
                    batches.removeLast();
                }
            }
        }
        return batch.isEmpty() ? unreadable(index) : batch.get(0);
    }

    /**
     * The engine asks for an entry, too, when it wants to know its epoch; where it is told nothing of one that the log has, a thread of it
     * ends with a lock that others wait for, and it never stops to lead. So one that cannot be read bears its epoch, and a type in which
     * the engine does not send it: a configuration without members.
     *
     * @return null where there is none
     */
    private LogEntry unreadable(long index) {
        if (index < stored.firstIndex() || index > stored.lastIndex()) {
            return null;
        }
        long epoch = ask(answer -> stored.epochOf(index, answer), 0L);
        if (epoch == 0) {
            return null;
        }
        LogEntry entry = new LogEntry(EntryType.ENTRY_TYPE_CONFIGURATION);
        entry.setId(new LogId(index, epoch));
        return entry;
    }

    private LogEntry kept(long index) {
        for (List<LogEntry> batch : batches) {
            long at = index - batch.get(0).getId().getIndex();
            if (at >= 0 && at < batch.size()) {
                return batch.get((int) at);
            }
        }
        return null;
    }

    @Override
    @Deprecated
    public long getTerm(long index) {
        LogEntry entry = getEntry(index);
        return entry == null ? 0 : entry.getId().getTerm();
    }

    @Override
    public boolean appendEntry(LogEntry entry) {
        return appendEntries(List.of(entry)) == 1;
    }

    @Override
    public int appendEntries(List<LogEntry> entries) {
        List<LogEntry> own = new ArrayList<>(entries);
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        // The engine's thread that stores does nothing else, and holds no lock here: it may work for the agent
        // meanwhile.
        return mailbox.offerHere(() -> stored.append(own, answer), answer::isDone) ? await(answer, 0) : 0;
    }

    /** The engine itself keeps the mark from which on it reads; segments go later, and when no consumer needs them. */
    @Override
    public boolean truncatePrefix(long firstIndexKept) {
        stored.readFrom(firstIndexKept);
        return true;
    }

    @Override
    public boolean truncateSuffix(long lastIndexKept) {
        boolean cut = ask(answer -> stored.cut(lastIndexKept, answer), false);
        synchronized (this) {
            cuts++;
            batches.clear();
        }
        return cut;
    }

    /** Never asked for: a replica that has to begin anew is closed, and begins with what was copied (see {@link Arrival}). */
    @Override
    public boolean reset(long nextLogIndex) {
        LOG.error("The engine would begin the log anew with entry {}, which it never should; it stops", nextLogIndex);
        return false;
    }

    private <T> T ask(Consumer<CompletableFuture<T>> question, T refused) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        return mailbox.offer(() -> question.accept(answer)) ? await(answer, refused) : refused;
    }

    private static <T> T await(CompletableFuture<T> answer, T refused) {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return refused;
        } catch (ExecutionException e) {
            LOG.error("The log did not answer the engine", e.getCause());
            return refused;
        }
    }
}
