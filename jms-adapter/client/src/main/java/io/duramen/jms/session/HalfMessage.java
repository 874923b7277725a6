package io.duramen.jms.session;

import jakarta.jms.JMSException;

/**
 * Thread-safe. A message that is stored and seen by nobody until it is confirmed. Keep its {@link #id} together with the
 * database transaction that it stands for: it tells a {@link HalfMessageChecker} what to say.
 */
public final class HalfMessage {
    private final HalfMessageSender sender;
    private final String id;

    HalfMessage(HalfMessageSender sender, String id) {
        this.sender = sender;
        this.id = id;
    }

    /** Names it for {@link HalfMessageSender#confirm(String)}, on any connection. */
    public String id() {
        return id;
    }

    /** As {@link HalfMessageSender#confirm(String)}. */
    public void confirm() throws JMSException {
        sender.confirm(id);
    }

    /** As {@link HalfMessageSender#cancel(String)}. */
    public void cancel() throws JMSException {
        sender.cancel(id);
    }
}
