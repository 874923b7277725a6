package io.duramen.ra.inbound;

import io.duramen.jms.DeadLetters;
import io.duramen.jms.branch.BranchResource;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import javax.transaction.xa.XAException;
import javax.transaction.xa.Xid;

/**
 * The session's thread, but where it says otherwise. Refuses a message whose deliveries have failed as often as the bean
 * takes it, so that it goes to the dead letters: with its last delivery's rollback where that can be, else when it comes again.
 */
final class Poison {
    private final int deliveriesMax;
    private final BranchResource branches;
    /** Of the message in hand; written by the session's thread. */
    private volatile int deliveries;

    /**
     * @param deliveriesMax 0 for as many as the node lets them be
     * @param branches null where deliveries are in no transaction
     */
    Poison(int deliveriesMax, BranchResource branches) {
        this.deliveriesMax = deliveriesMax;
        this.branches = branches;
    }

    /** Whether it is not for the bean any more: its last delivery was rolled back when its branch had prepared already. */
    boolean isRefusedBefore(Message message) {
        if (deliveriesMax == 0) {
            return false;
        }
        try {
            deliveries = message.getIntProperty("JMSXDeliveryCount");
            if (deliveries <= deliveriesMax) {
                return false;
            }
            DeadLetters.refuse(message, reason());
            return true;
        } catch (JMSException e) {
            throw new JMSRuntimeException("a message that is delivered too often was not refused", null, e);
        }
    }

    /** Of a delivery in no transaction, which failed. */
    boolean isRefusedAfter(Message message) {
        if (branches != null || !isLast()) {
            return false;
        }
        try {
            DeadLetters.refuse(message, reason());
            return true;
        } catch (JMSException e) {
            throw new JMSRuntimeException("a message that is delivered too often was not refused", null, e);
        }
    }

    /** Of a delivery in a transaction, on whichever thread of the manager's. */
    void beforeRollback(Xid xid) throws XAException {
        if (isLast()) {
            branches.refuseOnRollback(xid, reason());
        }
    }

    private boolean isLast() {
        return deliveriesMax > 0 && deliveries >= deliveriesMax;
    }

    private String reason() {
        return "delivered " + deliveriesMax + " times without success, which is as often as its bean takes it";
    }
}
