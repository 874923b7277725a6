package io.duramen.simulation.client;

import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.Recall;
import io.duramen.protocol.frame.Settle;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.broker.Attachment.Place;
import java.util.List;

/** Consumes from one subscription: accepts most, rejects some and refuses a few, gives back some unseen, and comes and goes. */
public final class ConsumerPart implements ClientPart {
    private final Intake intake;
    private final SeededRandom random;
    private final boolean comesAndGoes;
    private boolean winding;
    private int stayAway;

    public ConsumerPart(
            SimulatedClient client,
            String destination,
            DestinationKind destinationKind,
            SubscriptionKind kind,
            String name,
            boolean comesAndGoes) {
        this.intake = new Intake(client, new Intake.Source(destination, destinationKind, kind, name));
        this.random = client.random().split();
        this.comesAndGoes = comesAndGoes;
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
    public boolean owns(int consumerId) {
        return intake.owns(consumerId);
    }

    @Override
    public void deliver(Deliver.Push push) {
        intake.deliver(push);
    }

    @Override
    public void recall(Recall.Push push) {
        intake.recall(push);
    }

    @Override
    public void work() {
        if (!intake.isJoined()) {
            if (stayAway > 0 && (winding || --stayAway == 0)) {
                stayAway = 0;
                intake.join();
            }
            return;
        }
        intake.topUp();
        for (int take = random.below(4); take > 0; take--) {
            intake.take();
        }
        if (!intake.held().isEmpty() && (winding || random.oneIn(2))) {
            settle();
        }
        if (!winding && random.oneIn(60)) {
            intake.releaseUnseen();
        }
        if (!winding && comesAndGoes && random.oneIn(60)) {
            intake.leave();
            stayAway = random.between(1, 20);
        }
    }

    private void settle() {
        List<Place> places = intake.held().keySet().stream()
                .filter(place -> winding || random.oneIn(2))
                .toList();
        boolean reject = !winding && random.oneIn(8);
        Settle.Outcome back = random.oneIn(8) ? Settle.Outcome.REFUSED : Settle.Outcome.REJECTED;
        intake.settle(places, reject ? back : Settle.Outcome.ACCEPTED);
    }

    @Override
    public void windDown() {
        winding = true;
    }

    @Override
    public boolean isIdle() {
        return intake.isJoined() && intake.isSettled();
    }

    @Override
    public String describe() {
        return "consumer " + intake;
    }
}
