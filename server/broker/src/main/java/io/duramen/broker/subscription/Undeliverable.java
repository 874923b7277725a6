package io.duramen.broker.subscription;

import io.duramen.protocol.frame.OffsetRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Messages of one partition that leave it together for the same place. Not thread-safe. */
public final class Undeliverable {
    /** Why nobody is handed a message any more. */
    public enum Cause {
        /** Its time is over. */
        EXPIRED,
        /** It was delivered as often as its destination allows. */
        DELIVERIES_MAX,
        /** A consumer refused it. */
        REFUSED
    }

    /**
     * @param record a copy, as its producer encoded it
     * @param deliveries that were given back
     * @param reason what a consumer said of the last; empty for nothing
     */
    public record Message(long offset, ByteBuffer record, int deliveries, Cause cause, String reason) {}

    private final List<Message> messages = new ArrayList<>();
    private final Offsets offsets = new Offsets();
    private int bytes;

    void add(Message message) {
        messages.add(message);
        offsets.add(message.offset());
        bytes += message.record().capacity();
    }

    boolean isEmpty() {
        return messages.isEmpty();
    }

    int bytes() {
        return bytes;
    }

    /** Whether they leave because their time is over. */
    public boolean isExpired() {
        return messages.get(0).cause() == Cause.EXPIRED;
    }

    public List<Message> messages() {
        return messages;
    }

    public List<OffsetRange> ranges() {
        return offsets.toRanges();
    }
}
