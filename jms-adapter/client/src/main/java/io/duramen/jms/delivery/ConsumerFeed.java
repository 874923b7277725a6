package io.duramen.jms.delivery;

import io.duramen.jms.link.Call;
import io.duramen.jms.link.FrameSink;
import io.duramen.jms.link.JmsErrors;
import io.duramen.jms.link.Link;
import io.duramen.jms.link.LinkLostException;
import io.duramen.jms.link.Outgoing;
import io.duramen.jms.link.Patience;
import io.duramen.jms.link.Reply;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.Detach;
import io.duramen.protocol.frame.Settle;
import io.duramen.protocol.record.MessageRecord;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread-safe: every field is guarded by this object, but for {@code attachedOn}, which is the link's thread's. The
 * application takes deliveries, the link's thread brings them and carries away what has gathered: settlements, credit,
 * attaching and detaching. What is due is kept as state and turned into frames only when the link's thread comes, so
 * nothing is ever sent twice or from before a reconnect.
 *
 * <p>Order when deliveries are given back ({@link #pause} to {@link #resume}): the node is asked to drain, which takes
 * the credit back; its Drained answer stands behind every Deliver it sent, so from then on all that is lent is known
 * here. What the application had is rejected, what it had not is released, and only when both are answered is credit
 * granted again. So the node offers them again from the oldest on, and none is lost or given twice.
 */
public final class ConsumerFeed implements Outgoing {
    private static final Logger LOG = LoggerFactory.getLogger(ConsumerFeed.class);

    /** Who is told what happens to a feed, on the link's thread; must not block. */
    public interface Owner {
        /** It is detached and owes nothing more: no frame about it follows. */
        void onFinished(ConsumerFeed feed);

        /** After a reconnect the node refused to have it back. */
        void onRefused(ConsumerFeed feed, RuntimeException refusal);
    }

    private final Link link;
    private final Subscribing subscribing;
    private final Flow flow;
    private final Owner owner;
    private final CreditWindow credit;
    private final Arrivals arrivals = new Arrivals();
    private final Holdings holdings;

    private boolean flowing;
    private boolean closed;
    private boolean paused;
    private boolean connected;
    private boolean creditSuspended;
    private boolean drainWanted;
    private boolean drainSent;
    private boolean scheduled;
    private boolean scheduledLater;
    private boolean waiting;
    private int ungathered;
    private long received;
    private long seen;
    private RuntimeException failure;
    private Runnable onArrival;
    private Call.Waiter attaching;
    private Detaching detaching;
    private boolean detached;
    private int attachedOn;
    private int detachAskedOn;

    private record Detaching(boolean keepGiven, Call.Waiter waiter) {}

    public ConsumerFeed(Link link, Subscribing subscribing, Flow flow, Owner owner) {
        this.link = link;
        this.subscribing = subscribing;
        this.flow = flow;
        this.owner = owner;
        this.credit = new CreditWindow(flow.prefetch(), flow.prefetchBytes());
        this.holdings = new Holdings(subscribing);
        this.creditSuspended = credit.isOnDemand();
    }

    public int consumerId() {
        return subscribing.consumerId();
    }

    public int shard() {
        return subscribing.shard();
    }

    /** Attaches and waits for the answer; the feed must be known to whoever hands it frames before. */
    public void attach() throws JMSException {
        Call.Waiter waiter = new Call.Waiter();
        synchronized (this) {
            attaching = waiter;
            schedule();
        }
        waiter.await(link, "Attach");
    }

    /** @param action called on the link's thread when something arrived; null where the application asks itself */
    public synchronized void onArrival(Runnable action) {
        onArrival = action;
    }

    /** Lets messages through to the application, or not. */
    public synchronized void flowing(boolean now) {
        flowing = now;
        notifyAll();
        scheduleIfCreditIsDue();
    }

    /** What is wrong with this feed for good. */
    public synchronized void throwFailure() throws JMSException {
        if (failure != null) {
            throw JmsErrors.of(failure);
        }
    }

    /**
     * The next delivery, if it is here.
     *
     * @param accept whether it counts as accepted at once
     * @return null where none is here or none may pass
     */
    public synchronized Delivery poll(boolean accept) {
        if (!flowing || closed || paused) {
            return null;
        }
        Delivery next = pollUnexpired();
        if (next == null) {
            return null;
        }
        if (accept) {
            holdings.giveAccepted(next);
            gather();
        } else {
            holdings.give(next);
        }
        scheduleIfCreditIsDue();
        return next;
    }

    private Delivery pollUnexpired() {
        while (true) {
            Delivery next = arrivals.poll();
            if (next == null) {
                return null;
            }
            seen++;
            creditSuspended |= credit.isOnDemand();
            long expiration = next.record().getLong(next.record().position() + MessageRecord.EXPIRATION_AT);
            if (expiration == 0 || expiration > System.currentTimeMillis()) {
                return next;
            }
            holdings.expire(next);
            creditSuspended = false;
            schedule();
        }
    }

    /** A delivery that was polled without accepting it is accepted now. */
    public synchronized void accept(Delivery delivery) {
        if (holdings.accept(delivery)) {
            gather();
        }
    }

    /** A delivery that was polled last, without accepting it, counts as unseen again and comes next. */
    public synchronized void putBack(Delivery delivery) {
        if (!closed) {
            holdings.takeBack(delivery);
            arrivals.putBack(delivery);
            seen--;
        }
    }

    private void gather() {
        ungathered++;
        if ((flow.settleWhenIdle() && arrivals.count() == 0) || ungathered >= flow.gather() || closed) {
            schedule();
        } else {
            scheduleLater();
        }
    }

    /** Asks for messages on behalf of a listener that has nothing to do. */
    public synchronized void demand() {
        creditSuspended = false;
        scheduleIfCreditIsDue();
    }

    /**
     * Waits for a delivery.
     *
     * @param timeoutNanos 0 for ever
     * @return null where none came, or the feed was closed
     */
    public synchronized Delivery take(long timeoutNanos, boolean accept) throws JMSException {
        long deadline = System.nanoTime() + timeoutNanos;
        creditSuspended = false;
        while (!closed) {
            throwFailure();
            Delivery next = poll(accept);
            if (next != null) {
                return next;
            }
            scheduleIfCreditIsDue();
            long left = deadline - System.nanoTime();
            if (timeoutNanos != 0 && left <= 0) {
                return credit.isOnDemand() ? drained(accept) : null;
            }
            await(timeoutNanos == 0 ? 0 : left);
        }
        return null;
    }

    /** A delivery that is available now, here or at the node; null where there is none. */
    public synchronized Delivery takeNow(boolean accept) throws JMSException {
        throwFailure();
        Delivery next = poll(accept);
        return next != null || !flowing || closed ? next : drained(accept);
    }

    private Delivery drained(boolean accept) throws JMSException {
        drain();
        awaitDrained();
        throwFailure();
        return poll(accept);
    }

    private void drain() {
        if (connected && !drainWanted) {
            drainWanted = true;
            drainSent = false;
            schedule();
        }
    }

    /** Waits until the node has answered the last drain; at once where none is due. */
    synchronized void awaitDrained() throws JMSException {
        Patience patience = new Patience(link);
        while (drainWanted && !closed) {
            long left = patience.leftNanos();
            if (left == 0) {
                drainWanted = false;
                throw JmsErrors.timedOut("Credit with drain");
            }
            await(left);
        }
    }

    private void await(long nanos) throws JMSException {
        waiting = true;
        try {
            if (nanos == 0) {
                wait();
            } else {
                TimeUnit.NANOSECONDS.timedWait(this, nanos < 1_000_000 ? 1_000_000 : nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw JmsErrors.caused(new JMSException("interrupted while waiting for a message"), e);
        } finally {
            waiting = false;
        }
    }

    // ---- giving back -----------------------------------------------------------------------------------------------

    public synchronized boolean hasGiven() {
        return holdings.hasGiven();
    }

    /** Lets nothing pass any more, and asks the node to stop sending: the first step of giving back. */
    synchronized void pause() {
        paused = true;
        if (credit.messages() > 0) {
            drain();
        }
    }

    synchronized void resume() {
        paused = false;
        creditSuspended = credit.isOnDemand();
        notifyAll();
        scheduleIfCreditIsDue();
    }

    /** Settlements of all that was given; they count as asked for from now on. */
    synchronized List<Settle.Request> settleGiven(Settle.Outcome outcome) {
        return holdings.askGiven(outcome, seen);
    }

    /** Releases of all that waits unseen; they count as asked for from now on. */
    synchronized List<Settle.Request> releaseUnseen() {
        seen = received;
        return holdings.askReleased(arrivals, seen);
    }

    /** What was given, for the transaction that accepts it; still counts as given. */
    public synchronized List<Commit.ConsumerSettlement> given() {
        return holdings.given();
    }

    /** The transaction that accepts what was {@link #given} has committed. */
    public synchronized void committed(Commit.ConsumerSettlement settlement) {
        holdings.committed(settlement);
        finishIfDone();
    }

    /** The node has answered a settlement; where it refused, what the application had counts as given again. */
    synchronized void settled(Settle.Request request, RuntimeException refusal) {
        holdings.answered(request, refusal != null);
        finishIfDone();
    }

    // ---- the end ---------------------------------------------------------------------------------------------------

    /** No delivery passes any more, and who waits for one is let go. */
    public synchronized void close() {
        closed = true;
        arrivals.clear();
        notifyAll();
    }

    /**
     * Leaves the subscription once what was accepted is settled. {@link #awaitDetached} tells when.
     *
     * @param keepGiven whether the session may still settle what was given
     */
    public synchronized void detach(boolean keepGiven) {
        close();
        if (detaching == null) {
            detaching = new Detaching(keepGiven, new Call.Waiter());
            if (failure == null) {
                schedule();
            } else {
                onDetached(null);
            }
        }
    }

    public synchronized boolean isDetaching() {
        return detaching != null;
    }

    /** Whether it is detached and owes nothing more. */
    public synchronized boolean isFinished() {
        return detached && (failure != null || holdings.isEmpty());
    }

    public void awaitDetached() throws JMSException {
        Detaching asked;
        synchronized (this) {
            asked = detaching;
        }
        asked.waiter().await(link, "Detach");
    }

    /** Nothing of it will work any more. */
    public synchronized void fail(RuntimeException cause) {
        if (failure == null) {
            failure = cause;
        }
        connected = false;
        drainWanted = false;
        notifyAll();
        if (attaching != null && !attaching.isDone()) {
            attaching.done(failure);
        }
        if (detaching != null) {
            onDetached(null);
        }
    }

    private void onDetached(RuntimeException cause) {
        detached = true;
        connected = false;
        if (!detaching.waiter().isDone()) {
            detaching.waiter().done(cause);
        }
        finishIfDone();
    }

    private void finishIfDone() {
        if (isFinished()) {
            owner.onFinished(this);
        }
    }

    // ---- the link's thread -----------------------------------------------------------------------------------------

    /** A frame for this consumer. */
    public void onDeliver(Deliver.Push frame) {
        Runnable tell;
        synchronized (this) {
            if (closed) {
                return;
            }
            received += frame.count();
            credit.received(frame.count(), arrivals.add(frame));
            if (waiting) {
                notifyAll();
            }
            tell = onArrival;
        }
        if (tell != null) {
            tell.run();
        }
    }

    public synchronized void onDrained() {
        credit.voided();
        creditSuspended = true;
        drainWanted = false;
        notifyAll();
        if (onArrival != null && !paused) {
            demand();
        }
    }

    /** The connection is gone: what was sent ahead is the node's again. */
    public synchronized void onLost() {
        connected = false;
        attachedOn = 0;
        arrivals.clear();
        credit.voided();
        received = 0;
        seen = 0;
        drainWanted = false;
        notifyAll();
    }

    /** A new connection: attaches again, with what the application has. */
    public synchronized void onResume(FrameSink sink) {
        write(sink);
    }

    @Override
    public synchronized void write(FrameSink sink) {
        scheduled = false;
        scheduledLater = false;
        if (isFinished() || failure != null) {
            return;
        }
        boolean attachesNow = attachedOn != sink.connection();
        if (attachesNow) {
            attachedOn = sink.connection();
            sink.request(subscribing.attach(holdings.held()), new Attached());
        }
        writeSettlements(sink);
        if (detaching != null && attachesNow) {
            schedule(); // only behind the settlements that the link repeats after this
        } else if (detaching != null) {
            writeDetach(sink);
        } else if (connected) {
            writeCredit(sink);
        }
    }

    private void writeSettlements(FrameSink sink) {
        ungathered = 0;
        for (Settle.Request settle : holdings.askGathered(seen)) {
            sink.request(settle, new Reply() {
                @Override
                public void answered(Record response) {
                    settled(settle, null);
                }

                @Override
                public void failed(RuntimeException cause) {
                    LOG.warn("{} of {} failed; what it settles may come again", settle.outcome(), settle, cause);
                    settled(settle, cause);
                }
            });
        }
    }

    private void writeCredit(FrameSink sink) {
        boolean drainNow = drainWanted && !drainSent;
        boolean grant = !paused
                && flowing
                && (drainNow || !drainWanted && !creditSuspended)
                && credit.isDue(arrivals.count(), arrivals.lengthBytes());
        if (grant || drainNow) {
            drainSent |= drainNow;
            sink.push(new Credit.Push(
                    shard(),
                    consumerId(),
                    grant ? credit.grantMessages(arrivals.count()) : 0,
                    grant ? credit.grantBytes(arrivals.lengthBytes()) : 0,
                    seen,
                    drainNow));
        }
    }

    private void writeDetach(FrameSink sink) {
        if (detachAskedOn == sink.connection()) {
            return;
        }
        detachAskedOn = sink.connection();
        boolean keep = detaching.keepGiven() && holdings.hasGiven();
        sink.request(new Detach.Request(shard(), consumerId(), seen, keep), new Detached());
    }

    @Override
    public synchronized void abandoned(LinkLostException cause) {
        scheduled = false;
        scheduledLater = false;
        fail(cause);
    }

    private void schedule() {
        if (!scheduled) {
            scheduled = true;
            link.send(this);
        }
    }

    private void scheduleLater() {
        if (!scheduled && !scheduledLater) {
            scheduledLater = true;
            link.sendLater(this);
        }
    }

    private void scheduleIfCreditIsDue() {
        if (connected
                && flowing
                && !creditSuspended
                && !paused
                && !closed
                && credit.isDue(arrivals.count(), arrivals.lengthBytes())) {
            schedule();
        }
    }

    /** The answer to Attach; not repeated by the link, since {@link #onResume} attaches anew. */
    private final class Attached implements Reply {
        @Override
        public void answered(Record response) {
            synchronized (ConsumerFeed.this) {
                connected = true;
                scheduleIfCreditIsDue();
                if (attaching != null && !attaching.isDone()) {
                    attaching.done(null);
                }
            }
        }

        @Override
        public void failed(RuntimeException cause) {
            boolean again;
            synchronized (ConsumerFeed.this) {
                again = attaching == null || attaching.isDone();
                fail(cause);
            }
            if (again && !(cause instanceof LinkLostException)) {
                owner.onRefused(ConsumerFeed.this, cause);
            }
        }

        @Override
        public boolean sentAgain() {
            return false;
        }
    }

    /** The answer to Detach; not repeated by the link, since {@link #onResume} detaches anew. */
    private final class Detached implements Reply {
        @Override
        public void answered(Record response) {
            synchronized (ConsumerFeed.this) {
                onDetached(null);
            }
        }

        @Override
        public void failed(RuntimeException cause) {
            synchronized (ConsumerFeed.this) {
                onDetached(cause);
            }
        }

        @Override
        public boolean sentAgain() {
            return false;
        }
    }
}
