package io.duramen.simulation.broker;

import io.duramen.log.EntryBuffer;
import io.duramen.replication.CommittedEntry;
import io.duramen.replication.LogStatus;
import io.duramen.replication.ReplicatedLog;
import java.io.IOException;
import java.util.function.LongUnaryOperator;

/**
 * A log whose leadership can be ended: as where another node leads from then on, and what was appended may be committed yet, or be
 * taken back. Before it hears of that it can be cut off from the others: nothing that it appends is committed any more, and its lease
 * ends. Confined to the simulation.
 */
final class LeadersLog extends ForwardingLog {
    private final Promises promises;
    private final LongUnaryOperator epochs;
    private Listener listener;
    private long epoch;
    private long committedIndex;
    private long durableIndex;
    private boolean cutOff;
    private boolean leased = true;
    private boolean due;
    private boolean deposed;

    /** @param epochs gives the epoch that the shard is told of for that of the log: where other nodes may lead, each leadership has one of its own */
    LeadersLog(ReplicatedLog log, Promises promises, LongUnaryOperator epochs) {
        super(log);
        this.promises = promises;
        this.epochs = epochs;
    }

    /** Has the shard be told at its next turn. */
    void depose() {
        due = true;
    }

    /** Whether it was told so, or will be. */
    boolean isDeposed() {
        return due;
    }

    /** From here on nothing more is committed. */
    void cutOff() {
        cutOff = true;
    }

    boolean isCutOff() {
        return cutOff;
    }

    /** From here on others may lead. */
    void endLease() {
        leased = promises == Promises.ALL_BUT_LEASE;
    }

    private boolean withholds() {
        return cutOff && promises != Promises.ALL_BUT_COMMIT;
    }

    @Override
    public void start(long appliedIndex, Listener toTell) throws IOException {
        listener = toTell;
        committedIndex = appliedIndex;
        super.start(appliedIndex, new Listener() {
            @Override
            public void onCommitted(CommittedEntry entry) {
                if (!withholds()) {
                    committedIndex = entry.index();
                    toTell.onCommitted(entry);
                }
            }

            @Override
            public void onDurable(long index) {
                if (!withholds()) {
                    durableIndex = index;
                    toTell.onDurable(index);
                }
            }

            @Override
            public void onLeading(long newEpoch) {
                epoch = newEpoch;
                toTell.onLeading(epochs.applyAsLong(newEpoch));
            }

            @Override
            public void onStopped(IOException cause) {
                toTell.onStopped(cause);
            }
        });
    }

    @Override
    public int poll() {
        if (due && !deposed) {
            deposed = true;
            listener.onFollowing(epoch);
            return 1 + super.poll();
        }
        return super.poll();
    }

    @Override
    public boolean isWritable() {
        return !deposed && super.isWritable();
    }

    @Override
    public long writtenIndex() {
        return deposed ? 0 : super.writtenIndex();
    }

    @Override
    public boolean isLeased() {
        return leased && super.isLeased();
    }

    @Override
    public long append(EntryBuffer entry, Durability durability) {
        if (deposed) {
            throw new IllegalStateException("this node does not lead");
        }
        return super.append(entry, durability);
    }

    @Override
    public LogStatus status() {
        LogStatus own = super.status();
        return !withholds()
                ? own
                : new LogStatus(
                        own.firstIndex(),
                        own.lastIndex(),
                        committedIndex,
                        durableIndex,
                        own.epoch(),
                        own.segments(),
                        own.lengthBytes(),
                        own.full(),
                        own.damage(),
                        own.stopped());
    }
}
