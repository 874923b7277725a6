package io.duramen.jms.delivery;

import io.duramen.jms.link.Reply;
import io.duramen.protocol.frame.Settle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** On the link's thread. The answer to a settlement that nobody waits for. */
record GatheredReply(ConsumerFeed feed, Settle.Request settle) implements Reply {
    private static final Logger LOG = LoggerFactory.getLogger(GatheredReply.class);

    @Override
    public void answered(Record response) {
        feed.settled(settle, null);
    }

    @Override
    public void failed(RuntimeException cause) {
        LOG.warn("{} failed, and what it settles may come again: {}", settle, cause.toString());
        feed.settled(settle, cause);
    }
}
