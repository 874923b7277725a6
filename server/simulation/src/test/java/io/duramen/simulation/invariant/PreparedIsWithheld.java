package io.duramen.simulation.invariant;

import io.duramen.simulation.broker.Attachment;
import io.duramen.simulation.broker.Attachment.Place;
import io.duramen.simulation.broker.Observer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What a prepared branch accepts is given to nobody until its manager has said how it ends, over kills and power cuts, too. */
public final class PreparedIsWithheld implements Observer {
    private final Map<Place, TransactionView> withheld = new HashMap<>();

    /** Whose manager has said how they end: it may have done so over another connection before it was told of the prepare. */
    private final Set<TransactionView> ending = new HashSet<>();

    @Override
    public void prepared(TransactionView branch) {
        if (!ending.contains(branch)) {
            branch.accepted().forEach(one -> withheld.put(one.place(), branch));
        }
    }

    @Override
    public void branchEnding(TransactionView branch) {
        ending.add(branch);
        branch.accepted().forEach(one -> withheld.remove(one.place(), branch));
    }

    @Override
    public void delivering(Attachment attachment, Delivery delivery) {
        if (withheld.containsKey(delivery.place())) {
            throw new AssertionError(
                    delivery.place() + " is accepted by a prepared branch and delivered to " + attachment);
        }
    }
}
