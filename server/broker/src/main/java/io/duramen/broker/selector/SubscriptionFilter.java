package io.duramen.broker.selector;

import io.duramen.protocol.record.HeaderTag;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * What a topic's subscription adds to itself: what its selector matches and, with noLocal, was not published by its own
 * connection or client id (sections 8.3.1 and 8.3.3). Confined to the shard's agent.
 */
public final class SubscriptionFilter implements MessageFilter {
    private final MessageFilter selector;
    private final String publisher;
    private final byte[] publisherBytes;
    private final RecordFields fields = RecordFields.ofHeaders();
    private final Value value = new Value();

    private SubscriptionFilter(MessageFilter selector, String publisher) {
        this.selector = selector;
        this.publisher = publisher;
        this.publisherBytes = publisher.getBytes(StandardCharsets.UTF_8);
    }

    /** @param publisher whose messages are left out, see {@link HeaderTag#CLIENT_ID}; empty for nobody's */
    public static MessageFilter of(MessageFilter selector, String publisher) {
        return publisher.isEmpty() ? selector : new SubscriptionFilter(selector, publisher);
    }

    @Override
    public boolean matches(ByteBuffer batch, int record, long offset) {
        return !isLocal(batch, record) && selector.matches(batch, record, offset);
    }

    private boolean isLocal(ByteBuffer batch, int record) {
        fields.open(batch, record);
        fields.loadTag(HeaderTag.CLIENT_ID, value);
        if (!value.isString() || value.textLength() != publisherBytes.length) {
            return false;
        }
        for (int i = 0; i < publisherBytes.length; i++) {
            if (publisherBytes[i] != batch.get(value.textAt() + i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SubscriptionFilter filter
                && filter.publisher.equals(publisher)
                && filter.selector.equals(selector);
    }

    @Override
    public int hashCode() {
        return Objects.hash(selector, publisher);
    }
}
