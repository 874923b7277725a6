package io.duramen.simulation.run;

import io.duramen.broker.BrokerConfig;
import io.duramen.simulation.Simulation;
import io.duramen.simulation.broker.SimulatedServer;
import io.duramen.simulation.invariant.AcknowledgedIsKept;
import io.duramen.simulation.invariant.CreditIsKept;
import io.duramen.simulation.invariant.DeadLettersAreExact;
import io.duramen.simulation.invariant.DeliveredInOrder;
import io.duramen.simulation.invariant.DeliveryCountGrows;
import io.duramen.simulation.invariant.DeliveryTimeIsKept;
import io.duramen.simulation.invariant.GroupsAreWithOne;
import io.duramen.simulation.invariant.OneLeaseAtATime;
import io.duramen.simulation.invariant.PreparedIsWithheld;
import io.duramen.simulation.invariant.SettledStaysSettled;
import io.duramen.simulation.invariant.StoredOnceAndInOrder;
import io.duramen.simulation.invariant.StoredOnceForAnId;
import io.duramen.simulation.invariant.TokensAreConserved;
import io.duramen.simulation.invariant.TransactionsAreWhole;

/** What must hold after every event, whatever is done and breaks. Stateless. */
final class Watch {
    private Watch() {}

    /**
     * @param firstToken from which {@code tokens} are numbered that move round the ring
     */
    static void over(SimulatedServer server, Simulation simulation, BrokerConfig config, long firstToken, int tokens) {
        server.add(new OneLeaseAtATime());
        server.add(new SettledStaysSettled());
        server.add(new CreditIsKept());
        server.add(new DeliveryCountGrows());
        server.add(new StoredOnceAndInOrder());
        server.add(new DeliveryTimeIsKept(simulation));
        server.add(new GroupsAreWithOne());
        server.add(new DeliveredInOrder(config.redeliveryPolicy()));
        server.add(new AcknowledgedIsKept());
        server.add(new DeadLettersAreExact(config.deliveriesMax()));
        server.add(new TransactionsAreWhole());
        server.add(new StoredOnceForAnId());
        server.add(new PreparedIsWithheld());
        server.add(new TokensAreConserved(firstToken, tokens));
    }
}
