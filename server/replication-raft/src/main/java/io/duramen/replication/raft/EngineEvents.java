package io.duramen.replication.raft;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Iterator;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.core.StateMachineAdapter;
import com.alipay.sofa.jraft.entity.LeaderChangeContext;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.RaftException;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotReader;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotWriter;
import java.io.IOException;

/**
 * What the engine tells of its decisions, on a thread of its own, handed on to the shard's agent in the same order. Nothing is
 * thrown into the engine: it would go on as if the entry had been applied.
 */
final class EngineEvents extends StateMachineAdapter {
    /** What the agent does with it. Confined to the agent. */
    interface Target {
        /** Everything up to the entry of this index, which has this epoch, is committed. */
        void committed(long index, long epoch);

        /** This replica leads, and the first entry of its epoch is committed. */
        void leads(long epoch);

        /** This replica leads no more. */
        void leadsNoMore();

        void broke(IOException cause);
    }

    private final Mailbox mailbox;
    private final Target target;

    /** Whom this replica takes for the leader, itself included; null for nobody. From any thread. */
    private volatile PeerId leader;

    private final PeerId self;

    EngineEvents(PeerId self, Mailbox mailbox, Target target) {
        this.self = self;
        this.mailbox = mailbox;
        this.target = target;
    }

    @Override
    public void onApply(Iterator entries) {
        try {
            long index = 0;
            long epoch = 0;
            while (entries.hasNext()) {
                index = entries.getIndex();
                epoch = entries.getTerm();
                entries.next();
            }
            if (index > 0) {
                long lastIndex = index;
                long lastEpoch = epoch;
                mailbox.offerHere(() -> target.committed(lastIndex, lastEpoch), () -> false);
            }
        } catch (RuntimeException | Error e) {
            mailbox.offer(() -> target.broke(new IOException("the engine's entries could not be taken", e)));
        }
    }

    PeerId leader() {
        return leader;
    }

    @Override
    public void onStartFollowing(LeaderChangeContext context) {
        leader = context.getLeaderId();
    }

    @Override
    public void onStopFollowing(LeaderChangeContext context) {
        leader = null;
    }

    @Override
    public void onLeaderStart(long epoch) {
        leader = self;
        mailbox.offer(() -> target.leads(epoch));
    }

    @Override
    public void onLeaderStop(Status status) {
        leader = null;
        mailbox.offer(target::leadsNoMore);
    }

    /** The state machine stores its state by itself; the engine only moves its mark. */
    @Override
    public void onSnapshotSave(SnapshotWriter writer, Closure done) {
        done.run(Status.OK());
    }

    @Override
    public boolean onSnapshotLoad(SnapshotReader reader) {
        return true;
    }

    @Override
    public void onShutdown() {
        // The agent closes what there is to close.
    }

    @Override
    public void onError(RaftException e) {
        mailbox.offer(() -> target.broke(new IOException("the consensus engine stopped: " + e.getStatus(), e)));
    }
}
