package io.duramen.jms.session;

import io.duramen.jms.body.BodyFetcher;
import io.duramen.jms.destination.DuramenDestination;
import io.duramen.jms.link.Call;
import io.duramen.jms.link.JmsErrors;
import io.duramen.jms.link.Link;
import io.duramen.jms.message.DuramenMessage;
import io.duramen.jms.message.MessageDecoder;
import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.frame.Browse;
import io.duramen.protocol.frame.FetchPart;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.record.Deliveries;
import io.duramen.protocol.record.LargeBody;
import io.duramen.protocol.record.MessageRecord;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/** One thread at a time. A view of a queue, read from its node a page at a time, one partition after the other. */
final class BrowsedMessages implements Enumeration<Message> {
    private static final int MESSAGES_PER_PAGE = 256;
    private static final Browse.Place START = new Browse.Place(Browse.ANY_PRIORITY, 0, 0);

    /** How far a partition has been read. */
    private record View(PartitionRef partition, long end, long asOfMillis, Browse.Place next, boolean isRead) {}

    private final DuramenBrowser browser;
    private final DuramenDestination queue;
    private final String selector;
    private final ArrayDeque<View> views = new ArrayDeque<>();
    private final ArrayDeque<Message> page = new ArrayDeque<>();
    private Link link;

    BrowsedMessages(DuramenBrowser browser, DuramenDestination queue, String selector) {
        this.browser = browser;
        this.queue = queue;
        this.selector = selector;
    }

    /** Fixes what is in view of each partition. */
    void fixViews(Link from, List<PartitionRef> partitions) throws JMSException {
        link = from;
        for (PartitionRef partition : partitions) {
            views.add(ask(new View(partition, Browse.NOW, 0, START, false), 0));
        }
    }

    private View ask(View view, int messagesMax) throws JMSException {
        PartitionRef partition = view.partition;
        Browse.Response answer = Call.ask(
                link,
                new Browse.Request(
                        partition.shard(),
                        queue.getName(),
                        partition.partition(),
                        selector,
                        view.end,
                        view.asOfMillis,
                        view.next,
                        messagesMax),
                Browse.Response.class);
        if (answer.count() > 0) {
            open(partition, answer);
        }
        return new View(partition, answer.end(), answer.asOfMillis(), answer.next(), answer.last());
    }

    /** A message as it was on the queue, and where. */
    private record Found(DuramenMessage message, long offset) {}

    private void open(PartitionRef partition, Browse.Response answer) throws JMSException {
        List<Found> large = new ArrayList<>();
        try {
            Deliveries.forEach(answer.deliveries(), answer.count(), (offset, deliveryCount, record) -> {
                DuramenMessage message = MessageDecoder.decode(record, queue, deliveryCount, browser.allowedClasses());
                page.add(message);
                if (MessageRecord.isLarge(record, record.position())) {
                    large.add(new Found(message, offset));
                }
            });
            for (Found found : large) {
                readApart(partition, found);
            }
        } catch (MalformedFrameException e) {
            throw JmsErrors.of(e);
        }
    }

    private void readApart(PartitionRef partition, Found found) throws JMSException {
        Optional<LargeBody> body = found.message.largeBody();
        if (body.isPresent()) {
            BodyFetcher.Holder holder =
                    new BodyFetcher.Holder(partition.shard(), FetchPart.BROWSER, partition.partition(), found.offset);
            found.message.readBodyFrom(new BodyFetcher(link, holder, body.get(), browser.prefetchBytes()));
        }
    }

    /**
     * Asks the node for the next page where this one is read.
     *
     * @throws jakarta.jms.JMSRuntimeException where the node cannot say
     */
    @Override
    public boolean hasMoreElements() {
        if (browser.isClosed()) {
            return false;
        }
        try {
            while (page.isEmpty() && !views.isEmpty()) {
                View view = views.peek();
                View next = view.isRead() ? null : ask(view, MESSAGES_PER_PAGE);
                views.poll();
                if (next != null) {
                    views.addFirst(next);
                }
            }
        } catch (JMSException e) {
            throw JmsErrors.unchecked(e);
        }
        return !page.isEmpty();
    }

    @Override
    public Message nextElement() {
        if (!hasMoreElements()) {
            throw new NoSuchElementException("no more messages are in view of the browser of " + queue.getName());
        }
        return page.poll();
    }
}
