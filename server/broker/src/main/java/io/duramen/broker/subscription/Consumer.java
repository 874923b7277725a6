package io.duramen.broker.subscription;

import io.duramen.protocol.Frame;
import io.duramen.protocol.frame.Drained;
import io.duramen.protocol.frame.Recall;

/**
 * One consumer of a subscription: its credit and how far its application has seen. Soft state of the leader; confined to
 * the shard's agent.
 */
public final class Consumer {
    private final int shard;
    private final int id;
    private final Subscription subscription;
    private final Audience audience;
    private final Outbound outbound;
    private final int leasesMax;

    private long lastHandout;
    private long heldSince;
    private long creditMessages;
    private long creditBytes;
    private boolean draining;
    private long delivered;
    private long seen;
    private int leases;
    private long letGo;
    private int groups;
    private boolean detached;

    Consumer(int shard, int id, Subscription subscription, Audience audience, Outbound outbound, int leasesMax) {
        this.shard = shard;
        this.id = id;
        this.subscription = subscription;
        this.audience = audience;
        this.outbound = outbound;
        this.leasesMax = leasesMax;
    }

    public int id() {
        return id;
    }

    public Subscription subscription() {
        return subscription;
    }

    /** Whether it left the subscription, and may only settle what it still holds. */
    public boolean isDetached() {
        return detached;
    }

    /** Messages it holds leases on. */
    public int leases() {
        return leases;
    }

    /** Adds credit; see {@code Credit.Push}. */
    public void grant(int messages, int bytes, boolean drain) {
        if (!detached) {
            creditMessages = Math.min(Integer.MAX_VALUE, creditMessages + Math.max(0, messages));
            creditBytes = Math.min(Integer.MAX_VALUE, creditBytes + Math.max(0, bytes));
            subscription.granted(this);
            if (drain) {
                draining = true;
                subscription.drainAsked(this);
            }
        }
    }

    /** The application has been given the deliveries up to this number. */
    public void seen(long number) {
        seen = Math.min(delivered, Math.max(seen, number));
    }

    boolean hasSeen(long number) {
        return number <= seen;
    }

    /** The first delivery not known to be seen may have been in the application's hands when it vanished. */
    public void assumeNextSeen() {
        seen(seen + 1);
    }

    boolean mayTake() {
        return creditMessages > 0 && creditBytes > 0 && leases < leasesMax;
    }

    /** Takes credit for a message; returns the number of the delivery. */
    long take(int bytes) {
        lastHandout = audience.nextHandout();
        if (unseen() == 0) {
            heldSince = lastHandout;
        }
        creditMessages--;
        creditBytes -= bytes;
        leases++;
        return ++delivered;
    }

    /** Holds a message that it held before it lost its connection. */
    void hold() {
        leases++;
    }

    void letGo() {
        leases--;
        letGo++;
        subscription.granted(this);
    }

    /** Changes with every message that it takes or lets go. */
    long progress() {
        return delivered + letGo;
    }

    /** Groups of which it gets the messages, or will as soon as others have let go of them. */
    int groups() {
        return groups;
    }

    void groupGiven() {
        groups++;
    }

    void groupTaken() {
        groups--;
    }

    /** Number, in its audience, of the last message that it was handed; 0 for none. */
    long lastHandout() {
        return lastHandout;
    }

    /** Number, in its audience, of a message that it was handed before all that its application has not seen. */
    long heldSince() {
        return heldSince;
    }

    /** Deliveries, given back or not, that its application is not known to have seen. */
    long unseen() {
        return Math.min(leases, delivered - seen);
    }

    /** Number of the last delivery that its application is known to have seen. */
    long lastSeen() {
        return seen;
    }

    /** Takes its credit back, and asks for deliveries that its application has not seen. */
    void recall(long count) {
        creditMessages = 0;
        creditBytes = 0;
        outbound.send(Frame.push(new Recall.Push(shard, id, (int) Math.min(Integer.MAX_VALUE, count))));
    }

    boolean isDraining() {
        return draining;
    }

    /** Ends a drain: nothing more is available. */
    void drained() {
        draining = false;
        creditMessages = 0;
        creditBytes = 0;
        outbound.send(Frame.push(new Drained.Push(shard, id)));
    }

    void detach() {
        detached = true;
        draining = false;
        creditMessages = 0;
        creditBytes = 0;
    }

    Audience audience() {
        return audience;
    }

    /** Its way through a partition of its subscription. */
    Lane lane(PartitionDispatch partition) {
        return audience.lane(partition.index());
    }

    int shard() {
        return shard;
    }

    void send(Frame frame) {
        outbound.send(frame);
    }
}
