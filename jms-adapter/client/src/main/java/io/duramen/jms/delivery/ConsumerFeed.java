package io.duramen.jms.delivery;

import io.duramen.jms.delivery.Flow.Settling;
import io.duramen.jms.link.Call;
import io.duramen.jms.link.FrameSink;
import io.duramen.jms.link.JmsErrors;
import io.duramen.jms.link.Link;
import io.duramen.jms.link.LinkLostException;
import io.duramen.jms.link.Outgoing;
import io.duramen.jms.link.Patience;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.Detach;
import io.duramen.protocol.frame.Settle;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.concurrent.TimeUnit;

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
public final class ConsumerFeed implements Outgoing, Owing, Feed {
    private final Link link;
    private final Subscribing subscribing;
    private final Flow flow;
    private final FeedOwner owner;
    private final CreditWindow credit;
    private final Arrivals arrivals = new Arrivals();
    private final Holdings holdings;

    private boolean flowing;
    private boolean closed;
    private int pauses;
    private boolean connected;
    private boolean drainWanted;
    private boolean drainSent;
    private boolean scheduled;
    private boolean scheduledLater;
    private boolean waiting;
    private boolean recallUnanswered;
    private int ungathered;
    private RuntimeException failure;
    private RuntimeException ended;
    private Runnable onArrival;
    private Runnable watcher = () -> {};
    private Call.Waiter attaching;
    private Detaching detaching;
    private boolean detached;
    private int attachedOn;
    private int detachAskedOn;

    private record Detaching(boolean keepGiven, Call.Waiter waiter) {}

    public ConsumerFeed(Link link, Subscribing subscribing, Flow flow, FeedOwner owner) {
        this.link = link;
        this.subscribing = subscribing;
        this.flow = flow;
        this.owner = owner;
        this.credit = new CreditWindow(flow, System::nanoTime);
        this.holdings = new Holdings(subscribing);
    }

    @Override
    public int consumerId() {
        return subscribing.consumerId();
    }

    @Override
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

    /** @param watching called, with this feed's lock, whenever it is worth looking whether there is something */
    synchronized void watchedBy(Runnable watching) {
        watcher = watching;
    }

    private void wake() {
        notifyAll();
        watcher.run();
    }

    @Override
    public synchronized void onArrival(Runnable action) {
        onArrival = action;
    }

    @Override
    public synchronized void flowing(boolean now) {
        flowing = now;
        wake();
        scheduleIfCreditIsDue();
    }

    /** What is wrong with this feed for good. */
    public synchronized void throwFailure() throws JMSException {
        if (failure != null || ended != null) {
            throw JmsErrors.of(failure != null ? failure : ended);
        }
    }

    @Override
    public synchronized boolean isEnded() {
        return ended != null;
    }

    @Override
    public synchronized void end(RuntimeException why) {
        ended = why;
        detach(false);
    }

    @Override
    public synchronized Delivery poll(boolean accept) {
        if (!flowing || closed || pauses > 0) {
            return null;
        }
        Delivery next = arrivals.pollUnexpired(this::onExpired);
        if (next == null) {
            credit.ranDry();
            return null;
        }
        credit.gave();
        if (next.count() > 1) {
            schedule(); // the node is told before the application learns of anything else
        }
        if (next.isLarge() || !accept && !settlesOnArrival()) {
            holdings.give(next); // a large one's body is fetched while it is held
        } else if (!settlesOnArrival()) {
            holdings.giveAccepted(next);
            gather();
        }
        scheduleIfCreditIsDue();
        return next;
    }

    private void onExpired(Delivery expired) {
        if (!settlesOnArrival()) {
            holdings.release(expired);
        }
        schedule();
    }

    @Override
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
        }
    }

    private boolean settlesOnArrival() {
        return flow.settle() == Settling.ON_ARRIVAL;
    }

    private long seen() {
        return settlesOnArrival() ? arrivals.received() : arrivals.seen();
    }

    private void gather() {
        ungathered++;
        if ((flow.settle() == Settling.WHEN_IDLE && arrivals.count() == 0) || ungathered >= flow.gather() || closed) {
            schedule();
        } else {
            scheduleLater();
        }
    }

    @Override
    public List<ConsumerFeed> origins() {
        return List.of(this);
    }

    /** The application waits no longer for this one; whether it is sent a message only when it does. */
    synchronized boolean askedEnough() {
        credit.askedEnough();
        return credit.isOnDemand();
    }

    /** Asks the node for what it has now, as {@link #takeNow} does, without waiting. */
    synchronized void startDrain() {
        if (flowing && !closed) {
            drain();
        }
    }

    @Override
    public synchronized void demand() {
        credit.asked();
        scheduleIfCreditIsDue();
    }

    @Override
    public synchronized Delivery take(long timeoutNanos, boolean accept) throws JMSException {
        long deadline = System.nanoTime() + timeoutNanos;
        credit.asked();
        while (!closed) {
            throwFailure();
            Delivery next = poll(accept);
            if (next != null) {
                return next;
            }
            scheduleIfCreditIsDue();
            long left = deadline - System.nanoTime();
            if (timeoutNanos != 0 && left <= 0) {
                credit.askedEnough();
                return credit.isOnDemand() ? drained(accept) : null;
            }
            await(timeoutNanos == 0 ? 0 : left);
        }
        if (ended != null) {
            throwFailure();
        }
        return null;
    }

    @Override
    public synchronized Delivery takeNow(boolean accept) throws JMSException {
        throwFailure();
        Delivery next = poll(accept);
        return next != null || !flowing || closed ? next : drained(accept);
    }

    private Delivery drained(boolean accept) throws JMSException {
        drain();
        awaitDrained(link);
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
    @Override
    public synchronized void awaitDrained(Link over) throws JMSException {
        Patience patience = new Patience(over);
        while (drainWanted && !closed) {
            long left = patience.leftNanos();
            if (left == 0) {
                drainWanted = false;
                throw patience.timedOut("Credit with drain");
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

    @Override
    public synchronized boolean hasGiven() {
        return holdings.hasGiven();
    }

    @Override
    public synchronized void pause() {
        pauses++;
        if (credit.mayBeOut()) {
            drain();
        }
    }

    @Override
    public synchronized void resume() {
        pauses--;
        credit.resumed(waiting);
        wake();
        scheduleIfCreditIsDue();
    }

    @Override
    public synchronized List<Settle.Request> settleGiven(Settle.Outcome outcome, String reason) {
        return holdings.askGiven(outcome, seen(), reason);
    }

    @Override
    public synchronized List<Settle.Request> settleGiven(Delivery delivery, Settle.Outcome outcome, String reason) {
        return holdings.askGiven(delivery, outcome, seen(), reason);
    }

    @Override
    public synchronized List<Settle.Request> releaseUnseen() {
        return holdings.askReleased(arrivals);
    }

    @Override
    public synchronized List<Commit.ConsumerSettlement> given() {
        return holdings.given();
    }

    @Override
    public synchronized List<Commit.ConsumerSettlement> enlistGiven() {
        return holdings.enlistGiven();
    }

    @Override
    public synchronized Settle.Request settle(Commit.ConsumerSettlement part, Settle.Outcome outcome, String reason) {
        return holdings.ask(part.partition(), part.ranges(), outcome, seen(), reason);
    }

    @Override
    public synchronized void committed(Commit.ConsumerSettlement settlement) {
        holdings.committed(settlement);
        finishIfDone();
    }

    @Override
    public synchronized void settled(Settle.Request request, RuntimeException refusal) {
        holdings.answered(request, refusal != null && ended == null);
        finishIfDone();
    }

    // ---- the end ---------------------------------------------------------------------------------------------------

    @Override
    public synchronized void close() {
        closed = true;
        arrivals.clear();
        wake();
    }

    @Override
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

    @Override
    public synchronized boolean isFinished() {
        return detached && (failure != null || holdings.isEmpty());
    }

    @Override
    public void awaitDetached() throws JMSException {
        Call.Waiter waiter;
        synchronized (this) {
            waiter = detaching.waiter();
        }
        waiter.awaitUnlessDown(link, "Detach");
    }

    /** Nothing of it will work. */
    public synchronized void fail(RuntimeException cause) {
        failure = failure == null ? cause : failure;
        connected = false;
        drainWanted = false;
        wake();
        endAttaching(failure);
        if (detaching != null) {
            onDetached(null);
        }
    }

    private synchronized void onDetached(RuntimeException cause) {
        detached = true;
        connected = false;
        if (!detaching.waiter().isDone()) {
            detaching.waiter().done(ended == null ? cause : null);
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
            credit.received(frame.count(), arrivals.add(frame));
            if (settlesOnArrival()) {
                holdings.acceptAll(frame);
                ungathered += frame.count() - 1;
                gather();
            }
            wake();
            tell = onArrival;
        }
        if (tell != null) {
            tell.run();
        }
    }

    public synchronized void onDrained() {
        credit.drained();
        drainWanted = false;
        wake();
        if (onArrival != null && pauses == 0) {
            demand();
        }
    }

    /** The node asks for some of what waits unseen, for a consumer that has nothing to do, and has taken all credit back. */
    public synchronized void onRecall(int count) {
        credit.recalled();
        recallUnanswered = true;
        drainSent = false;
        if (pauses == 0 && !closed && !settlesOnArrival()) {
            holdings.releaseAll(arrivals.takeLatest(count));
        }
        schedule();
    }

    /** The connection is gone: what was sent ahead is the node's again. */
    public synchronized void onLost() {
        connected = false;
        attachedOn = 0;
        if (!settlesOnArrival()) {
            arrivals.clear();
        }
        arrivals.restart();
        credit.lost();
        drainWanted = false;
        wake();
    }

    /** Over a new connection it attaches again first, with what the application has. */
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
            sink.request(
                    subscribing.attach(holdings.held()),
                    new UnrepeatedReply(answer -> onAttached((Attach.Response) answer), this::onAttachFailed));
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
        for (Settle.Request settle : holdings.askGathered(seen(), arrivals.takeGivenAgain())) {
            sink.request(settle, new GatheredReply(this, settle));
        }
    }

    private void writeCredit(FrameSink sink) {
        if (recallUnanswered) {
            recallUnanswered = false;
            sink.push(new Credit.Push(shard(), consumerId(), 0, 0, seen(), false));
        }
        boolean drainNow = drainWanted && !drainSent;
        boolean grant = pauses == 0
                && flowing
                && (drainNow || !drainWanted && !credit.isSuspended())
                && credit.isDue(arrivals.count(), arrivals.lengthBytes());
        if (grant || drainNow) {
            drainSent |= drainNow;
            int messages = grant ? credit.grantMessages(arrivals.count()) : 0;
            int bytes = grant ? credit.grantBytes(arrivals.lengthBytes()) : 0;
            sink.push(new Credit.Push(shard(), consumerId(), messages, bytes, seen(), drainNow));
        }
    }

    private void writeDetach(FrameSink sink) {
        if (detachAskedOn == sink.connection()) {
            return;
        }
        detachAskedOn = sink.connection();
        Detach.Request detach =
                new Detach.Request(shard(), consumerId(), seen(), detaching.keepGiven() && holdings.hasGiven());
        sink.request(detach, new UnrepeatedReply(answer -> onDetached(null), this::onDetached));
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
                && !credit.isSuspended()
                && pauses == 0
                && !closed
                && credit.isDue(arrivals.count(), arrivals.lengthBytes())) {
            schedule();
        }
    }

    private synchronized void onAttached(Attach.Response answer) {
        holdings.lost(answer.lost());
        connected = true;
        scheduleIfCreditIsDue();
        endAttaching(null);
    }

    private void endAttaching(RuntimeException cause) {
        if (attaching != null && !attaching.isDone()) {
            attaching.done(cause);
        }
    }

    private void onAttachFailed(RuntimeException cause) {
        boolean again;
        synchronized (this) {
            again = attaching == null || attaching.isDone();
            fail(cause);
        }
        if (again && !(cause instanceof LinkLostException)) {
            owner.onRefused(this, cause);
        }
    }
}
