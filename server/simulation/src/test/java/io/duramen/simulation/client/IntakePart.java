package io.duramen.simulation.client;

import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Recall;
import io.duramen.protocol.frame.Settle;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.message.TestMessage;
import java.util.List;

/** A part that consumes from one subscription. Confined to the simulation. */
abstract class IntakePart implements ClientPart {
    private static final int TOKENS_MAX = 4;

    final SimulatedClient client;
    final SeededRandom random;
    final Intake intake;
    boolean winding;

    IntakePart(SimulatedClient client, Intake.Source source) {
        this.client = client;
        this.random = client.random().split();
        this.intake = new Intake(client, source);
        intake.join();
    }

    @Override
    public void connected() {
        intake.connected();
    }

    @Override
    public void lost() {
        intake.lost();
    }

    @Override
    public final boolean owns(int consumerId) {
        return intake.owns(consumerId);
    }

    @Override
    public final void deliver(Deliver.Push push) {
        intake.deliver(push);
    }

    @Override
    public final void recall(Recall.Push push) {
        intake.recall(push);
    }

    @Override
    public final void windDown() {
        winding = true;
    }

    @Override
    public boolean isIdle() {
        return intake.isJoined() && intake.isSettled();
    }

    // ---- of those that move tokens to another queue -----------------------------------------------------------------

    /** The application takes some of what is there. */
    final void takeTokens() {
        intake.topUp();
        while (intake.held().size() < TOKENS_MAX
                && random.oneIn(2)
                && intake.take().isPresent()) {
            // as many as chance has it
        }
    }

    /** That each token which the application holds is settled, and sent on. */
    final Parts moving(List<PartitionRef> targets, long transaction) {
        Parts parts = new Parts();
        for (TestMessage token : intake.held().values()) {
            parts.send(
                    random.pick(targets),
                    new TestMessage(token.sender(), token.number() + 1, transaction, true, random.below(50)));
        }
        Intake.byPartition(intake.held().keySet())
                .forEach((partition, offsets) -> parts.settle(
                        intake.shard(partition),
                        new Commit.ConsumerSettlement(intake.consumerId(), partition, Intake.ranges(offsets))));
        return parts;
    }

    /** The tokens that the application holds come again. */
    final void giveBack() {
        intake.settle(List.copyOf(intake.held().keySet()), Settle.Outcome.REJECTED);
    }
}
