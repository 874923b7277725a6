package io.duramen.simulation.broker;

import io.duramen.log.EntryBuffer;
import io.duramen.replication.CommittedEntry;
import io.duramen.replication.ReplicatedLog;
import java.io.IOException;

/**
 * A log whose leadership can be ended: as where another node leads from then on, and what was appended may be committed yet, or be
 * taken back. Confined to the simulation.
 */
final class LeadersLog extends ForwardingLog {
    private Listener listener;
    private long epoch;
    private boolean due;
    private boolean deposed;

    LeadersLog(ReplicatedLog log) {
        super(log);
    }

    /** Has the shard be told at its next turn. */
    void depose() {
        due = true;
    }

    /** Whether it was told so, or will be. */
    boolean isDeposed() {
        return due;
    }

    @Override
    public void start(long appliedIndex, Listener toTell) throws IOException {
        listener = toTell;
        super.start(appliedIndex, new Listener() {
            @Override
            public void onCommitted(CommittedEntry entry) {
                toTell.onCommitted(entry);
            }

            @Override
            public void onDurable(long index) {
                toTell.onDurable(index);
            }

            @Override
            public void onLeading(long newEpoch) {
                epoch = newEpoch;
                toTell.onLeading(newEpoch);
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
    public long append(EntryBuffer entry, Durability durability) {
        if (deposed) {
            throw new IllegalStateException("this node does not lead");
        }
        return super.append(entry, durability);
    }
}
