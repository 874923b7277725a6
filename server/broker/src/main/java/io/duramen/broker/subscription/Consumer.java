package io.duramen.broker.subscription;

import io.duramen.broker.destination.RedeliveryPolicy;
import io.duramen.protocol.Frame;
import io.duramen.protocol.frame.Attach.Backoff;
import io.duramen.protocol.frame.Drained;
import io.duramen.protocol.frame.Recall;
import java.util.Arrays;

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

    /** Number of the delivery that is taken for seen if it is the message's first; 0 for none. */
    private long assumed;

    private int leases;
    private long letGo;
    private int groups;
    private boolean detached;
    private Backoff backoff = Backoff.AS_NODE;

    /** Whether it was asked for deliveries and has not answered. */
    private boolean recalling;

    /** Last offset of each partition that it was handed and has not given back; -1 for none. */
    private long[] highest = {};

    /** The same of those that it holds no more. */
    private long[] highestEnded = {};

    Consumer(int shard, int id, Subscription subscription, Audience audience, Outbound outbound, int leasesMax) {
        this.shard = shard;
        this.id = id;
        this.subscription = subscription;
        this.audience = audience;
        this.outbound = outbound;
        this.leasesMax = leasesMax;
        knows(subscription.partitions().size());
    }

    /** What it gives back waits so from now on. */
    public void backsOff(Backoff how) {
        backoff = how;
    }

    /** When comes again what it gives back. @param usual the destination's policy */
    RedeliveryPolicy redelivery(RedeliveryPolicy usual) {
        return backoff.isAsNode()
                ? usual
                : usual.waiting(backoff.delayMillis(), backoff.multiplier(), backoff.delayMaxMillis());
    }

    public int id() {
        return id;
    }

    public Subscription subscription() {
        return subscription;
    }

    /** Where its deliveries go. */
    public Outbound outbound() {
        return outbound;
    }

    /** Whether it left the subscription, and may only settle what it still holds. */
    public boolean isDetached() {
        return detached;
    }

    /** Messages it holds leases on. */
    public int leases() {
        return leases;
    }

    /** Adds credit; see {@code Credit.Push}. What comes before the answer to a recall crossed it, and is void. */
    public void grant(int messages, int bytes, boolean drain) {
        if (recalling) {
            recalling = messages != 0 || bytes != 0 || drain;
        } else if (!detached) {
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

    /** @param first whether it is the first delivery of the message, as far as is known */
    boolean hasSeen(long number, boolean first) {
        return number <= seen || first && number == assumed;
    }

    /** The first delivery not known to be seen may have been in the application's hands when it vanished. */
    public void assumeNextSeen() {
        assumed = seen + 1;
    }

    boolean mayTake() {
        return creditMessages > 0 && creditBytes > 0 && leases < leasesMax && !subscription.isPaused();
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

    // ---- what it has had -------------------------------------------------------------------------------------------

    /** Its subscription has so many partitions. */
    void knows(int partitions) {
        int before = highest.length;
        highest = Arrays.copyOf(highest, partitions);
        highestEnded = Arrays.copyOf(highestEnded, partitions);
        Arrays.fill(highest, before, partitions, -1);
        Arrays.fill(highestEnded, before, partitions, -1);
    }

    /** It is handed a message, or brings one with it. */
    void handed(int partition, long offset) {
        highest[partition] = Math.max(highest[partition], offset);
    }

    /** It holds a message no more, and has not given it back unseen. */
    void ended(int partition, long offset) {
        highestEnded[partition] = Math.max(highestEnded[partition], offset);
    }

    /** It has given some back; the last that it holds yet is this, -1 for none. */
    void keeps(int partition, long lastHeld) {
        highest[partition] = Math.max(lastHeld, highestEnded[partition]);
    }

    /** The last offset of a partition that it has had and not given back unseen; -1 for none. */
    long highest(int partition) {
        return highest[partition];
    }

    /** Whether it was asked for deliveries and has not answered: what it gives back now is its answer. */
    boolean isRecalling() {
        return recalling;
    }

    /** Takes its credit back, and asks for deliveries that its application has not seen. */
    void recall(long count) {
        recalling = true;
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

    public int shard() {
        return shard;
    }

    void send(Frame frame) {
        outbound.send(frame);
    }
}
