package io.duramen.simulation.invariant;

import io.duramen.simulation.SimulatedClock;
import io.duramen.simulation.Simulation;
import io.duramen.simulation.broker.Attachment;
import io.duramen.simulation.broker.Observer;

/** No message is sent to a consumer before its delivery time. */
public final class DeliveryTimeIsKept implements Observer {
    private final Simulation simulation;

    public DeliveryTimeIsKept(Simulation simulation) {
        this.simulation = simulation;
    }

    @Override
    public void delivering(Attachment attachment, Delivery delivery) {
        long now = SimulatedClock.START_MILLIS + simulation.nowNanos() / 1_000_000;
        long deliveryTime = delivery.message().ordering().deliveryTime();
        if (deliveryTime > now) {
            throw new AssertionError(delivery.place() + " is sent to " + attachment + " at " + now + ", "
                    + (deliveryTime - now) + " ms before its time");
        }
    }
}
