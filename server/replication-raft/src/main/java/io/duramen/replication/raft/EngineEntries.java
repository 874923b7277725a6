package io.duramen.replication.raft;

import com.alipay.sofa.jraft.entity.EnumOutter.EntryType;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.entity.LogId;
import io.duramen.log.DamagedLogException;
import io.duramen.log.EntryPayload;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Entries as the engine has them, and as the log has them. Stateless. */
final class EngineEntries {
    private EngineEntries() {}

    /**
     * What the log appends of it.
     *
     * @throws DamagedLogException where it is of a kind that is never made here
     */
    static ByteBuffer payload(LogEntry entry) {
        if (entry.getType() == EntryType.ENTRY_TYPE_DATA) {
            return entry.getData().duplicate();
        }
        if (entry.getType() == EntryType.ENTRY_TYPE_CONFIGURATION) {
            return EntryPayload.ofConfiguration(Members.of(entry).encode());
        }
        throw new DamagedLogException("an entry of the engine's type " + entry.getType());
    }

    static boolean isConfiguration(LogEntry entry) {
        return entry.getType() == EntryType.ENTRY_TYPE_CONFIGURATION;
    }

    /**
     * A copy of what stands in the log.
     *
     * @param first members of the group, for entries that were written before names were part of them
     * @throws IOException where that cannot be
     */
    static LogEntry toEngine(io.duramen.log.LogEntry stored, Members first) throws IOException {
        LogEntry entry = new LogEntry();
        entry.setId(new LogId(stored.index(), stored.epoch()));
        if (stored.configuration()) {
            entry.setType(EntryType.ENTRY_TYPE_CONFIGURATION);
            Members.decode(stored.body()).named(first).putInto(entry);
        } else {
            entry.setType(EntryType.ENTRY_TYPE_DATA);
            entry.setData(EntryPayload.of(stored));
        }
        return entry;
    }
}
