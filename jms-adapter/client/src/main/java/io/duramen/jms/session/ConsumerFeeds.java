package io.duramen.jms.session;

import io.duramen.jms.delivery.ConsumerFeed;
import io.duramen.jms.delivery.Feed;
import io.duramen.jms.delivery.FeedOwner;
import io.duramen.jms.delivery.Flow;
import io.duramen.jms.delivery.Membership;
import io.duramen.jms.delivery.SpreadFeed;
import io.duramen.jms.delivery.Subscribing;
import io.duramen.jms.destination.DuramenDestination;
import io.duramen.jms.link.FrameSink;
import io.duramen.jms.link.JmsErrors;
import io.duramen.jms.link.Link;
import io.duramen.jms.link.LinkLostException;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Attach.Backoff;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.Drained;
import io.duramen.protocol.frame.EndConsumer;
import io.duramen.protocol.frame.ForShard;
import io.duramen.protocol.frame.Recall;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Thread-safe. What feeds the consumers of one connection, and who of them is to get which frame. */
final class ConsumerFeeds implements FeedOwner {
    /** Where the messages come from. @param publisher what the connection's own say of who published them */
    record Source(DuramenDestination destination, TreeSet<Integer> shards, String publisher) {}

    private final Supplier<Link> link;
    private final Backoff backoff;
    private final Consumer<JMSException> problems;
    private final Map<Integer, ConsumerFeed> feeds = new ConcurrentHashMap<>();
    /** By each number that it has in any shard, what feeds a consumer. */
    private final Map<Integer, Feed> whole = new ConcurrentHashMap<>();

    private final Set<Membership> memberships = ConcurrentHashMap.newKeySet();
    private final AtomicInteger lastConsumerId = new AtomicInteger();

    /**
     * @param backoff how long what they give back waits
     * @param problems told where the node does not have a consumer back after a reconnect, or an operator has closed it
     */
    ConsumerFeeds(Supplier<Link> link, Backoff backoff, Consumer<JMSException> problems) {
        this.link = link;
        this.backoff = backoff;
        this.problems = problems;
    }

    /** Makes a feed for a new consumer, attaches it and waits for the answer. */
    Feed attach(Source from, Subscribing.Choice choice, Flow flow) throws JMSException {
        Feed feed = attachAll(from, choice, flow);
        whole.values().removeIf(Feed::isFinished);
        whole.put(feed.consumerId(), feed);
        feed.origins().forEach(one -> whole.put(one.consumerId(), feed));
        return feed;
    }

    private Feed attachAll(Source from, Subscribing.Choice choice, Flow flow) throws JMSException {
        Subscribing catalogue = new Subscribing(
                ForShard.CATALOGUE,
                lastConsumerId.incrementAndGet(),
                from.destination.getName(),
                from.destination.kind(),
                choice,
                from.publisher,
                backoff);
        Flow share = from.shards.size() == 1 ? flow : flow.share(from.shards.size());
        if (!from.shards.contains(ForShard.CATALOGUE)) {
            return attachWithMembership(catalogue, from.shards, share);
        }
        return from.shards.size() == 1
                ? attach(catalogue, flow, this)
                : attachFirstThere(catalogue, from.shards, share);
    }

    /** The shard with the catalogue first, which decides; its answer may be that the subscription is made everywhere. */
    private Feed attachWithMembership(Subscribing catalogue, TreeSet<Integer> shards, Flow flow) throws JMSException {
        List<ConsumerFeed> attached = new CopyOnWriteArrayList<>();
        Membership membership = new Membership(link.get(), catalogue, refusal -> {
            attached.forEach(feed -> feed.fail(refusal));
            problems.accept(JmsErrors.of(refusal));
        });
        memberships.removeIf(Membership::isOver);
        memberships.add(membership);
        try {
            membership.attach();
        } catch (JMSException e) {
            memberships.remove(membership);
            throw e;
        }
        attachAll(catalogue, shards, flow, attached, () -> new SpreadFeed(membership, attached));
        return new SpreadFeed(membership, attached);
    }

    /** As above, where that shard has messages for it, too: the feed there holds its place. */
    private Feed attachFirstThere(Subscribing catalogue, TreeSet<Integer> shards, Flow flow) throws JMSException {
        List<ConsumerFeed> attached = new CopyOnWriteArrayList<>();
        attached.add(attach(catalogue, flow, new FeedOwner() {
            @Override
            public void onFinished(ConsumerFeed feed) {
                ConsumerFeeds.this.onFinished(feed);
            }

            @Override
            public void onRefused(ConsumerFeed feed, RuntimeException refusal) {
                attached.forEach(other -> other.fail(refusal));
                ConsumerFeeds.this.onRefused(feed, refusal);
            }
        }));
        attachAll(catalogue, shards.tailSet(ForShard.CATALOGUE, false), flow, attached, () -> new SpreadFeed(attached));
        return new SpreadFeed(attached);
    }

    /** @param soFar of what is attached, for leaving it where one is refused */
    private void attachAll(
            Subscribing catalogue, Set<Integer> shards, Flow flow, List<ConsumerFeed> attached, Supplier<Feed> soFar)
            throws JMSException {
        try {
            for (int shard : shards) {
                attached.add(attach(catalogue.in(shard, lastConsumerId.incrementAndGet()), flow, this));
            }
        } catch (JMSException e) {
            leave(soFar.get(), e);
            throw e;
        }
    }

    private static void leave(Feed feed, JMSException refusal) {
        try {
            feed.detach(false);
            feed.awaitDetached();
        } catch (JMSException e) {
            refusal.addSuppressed(e);
        }
    }

    private ConsumerFeed attach(Subscribing subscribing, Flow flow, FeedOwner owner) throws JMSException {
        ConsumerFeed feed = new ConsumerFeed(link.get(), subscribing, flow, owner);
        feeds.put(feed.consumerId(), feed);
        try {
            feed.attach();
        } catch (JMSException e) {
            feeds.remove(feed.consumerId());
            throw e;
        }
        return feed;
    }

    // ---- the link's thread -----------------------------------------------------------------------------------------

    void onDeliver(Deliver.Push deliver) {
        ConsumerFeed feed = feeds.get(deliver.consumerId());
        if (feed != null) {
            feed.onDeliver(deliver);
        }
    }

    void onDrained(Drained.Push drained) {
        ConsumerFeed feed = feeds.get(drained.consumerId());
        if (feed != null) {
            feed.onDrained();
        }
    }

    void onRecall(Recall.Push recall) {
        ConsumerFeed feed = feeds.get(recall.consumerId());
        if (feed != null) {
            feed.onRecall(recall.count());
        }
    }

    void onEnd(EndConsumer.Push end) {
        Feed feed = whole.get(end.consumerId());
        if (feed != null) {
            whole.values().removeIf(each -> each == feed);
            ProtocolException why = new ProtocolException(ErrorCode.CONSUMER_ENDED, end.reason());
            feed.end(why);
            problems.accept(JmsErrors.of(why));
        }
    }

    void onLost() {
        memberships.forEach(Membership::onLost);
        feeds.values().forEach(ConsumerFeed::onLost);
    }

    void onResume(FrameSink sink) {
        memberships.removeIf(Membership::isOver);
        memberships.forEach(membership -> membership.onResume(sink));
        feeds.values().forEach(feed -> feed.write(sink));
    }

    void fail(LinkLostException cause) {
        feeds.values().forEach(feed -> feed.fail(cause));
    }

    @Override
    public void onFinished(ConsumerFeed feed) {
        feeds.remove(feed.consumerId());
    }

    @Override
    public void onRefused(ConsumerFeed feed, RuntimeException refusal) {
        feeds.remove(feed.consumerId());
        problems.accept(JmsErrors.of(refusal));
    }
}
