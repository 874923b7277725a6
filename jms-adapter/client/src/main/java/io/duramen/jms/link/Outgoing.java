package io.duramen.jms.link;

/** Something that has frames to send. Handed to the link from any thread; called back on the link's thread. */
public interface Outgoing {
    /** Puts its frames. What gathered between {@link Link#send} and now travels together: that is the batching. */
    void write(FrameSink sink);

    /** The link has given up, or was closed; nothing of it was written since it was handed in. May be called from any thread. */
    void abandoned(LinkLostException cause);
}
