package io.duramen.simulation.client;

import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.Settle;
import io.duramen.simulation.broker.Attachment.Place;
import java.util.List;

/** Consumes from one subscription: accepts most, rejects some and refuses a few, gives back some unseen, and comes and goes. */
public final class ConsumerPart extends IntakePart {
    private final boolean comesAndGoes;
    private int stayAway;

    public ConsumerPart(
            SimulatedClient client,
            String destination,
            DestinationKind destinationKind,
            SubscriptionKind kind,
            String name,
            boolean comesAndGoes) {
        super(client, new Intake.Source(destination, destinationKind, kind, name));
        this.comesAndGoes = comesAndGoes;
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
    public String describe() {
        return "consumer " + intake;
    }
}
