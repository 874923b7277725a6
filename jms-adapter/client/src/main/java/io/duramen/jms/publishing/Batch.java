package io.duramen.jms.publishing;

import io.duramen.jms.link.Call;
import io.duramen.jms.link.Reply;
import io.duramen.jms.message.BatchBuffer;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.record.RecordBatch;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Messages of one session for one partition, from the first until they are answered. Filled by the application's
 * thread, then handed over for good to the link's thread.
 */
final class Batch implements Reply {
    final long ordinal;
    final Publish.Acks acks;
    final boolean persistent;
    final BatchBuffer bytes;

    private final SendWindow window;
    private final Hold hold;
    private boolean waits;
    private int count;
    private int lengthBytes;
    private Call.Waiter waiter;
    private Runnable onAnswered;

    private RuntimeException failure;
    private volatile boolean answered;

    /** Who may still read the bytes: each time they are on their way, and the batch itself until it is done for good. */
    private final AtomicInteger readers = new AtomicInteger(1);

    /** @param capacity bytes to start with */
    Batch(long ordinal, Publish.Acks acks, boolean persistent, int capacity, SendWindow window, Hold hold) {
        this.ordinal = ordinal;
        this.acks = acks;
        this.persistent = persistent;
        this.bytes = BatchBuffer.toSend(capacity, RecordBatch.HEADER_LENGTH);
        this.window = window;
        this.hold = hold;
    }

    boolean takes(Publish.Acks otherAcks, boolean otherPersistent) {
        return acks == otherAcks && persistent == otherPersistent;
    }

    int count() {
        return count;
    }

    int lengthBytes() {
        return bytes.length();
    }

    /** Counts a message whose record was just encoded. */
    void added(int recordLength) {
        count++;
        lengthBytes += recordLength;
        window.add(recordLength);
    }

    /** The blocking send that waits for this batch: its message is the last in it. */
    void waiter(Call.Waiter waiter) {
        this.waiter = waiter;
    }

    boolean isAwaited() {
        return waiter != null;
    }

    /** Called on the link's thread when the batch is answered or has failed, where somebody wants to know. */
    void onAnswered(Runnable action) {
        onAnswered = action;
    }

    ByteBuffer seal(long producerId, long baseSequence) {
        ByteBuffer sealed = bytes.written();
        RecordBatch.seal(sealed, persistent, producerId, 0, baseSequence, count);
        return sealed;
    }

    /** As {@link #done} with success, and nothing sends its bytes again. */
    void doneForGood() {
        sent();
        done(null);
    }

    @Override
    public void sending() {
        readers.incrementAndGet();
    }

    /** An answer may come before the transport lets go of the bytes: then they are its until it does. */
    @Override
    public void sent() {
        if (readers.decrementAndGet() == 0) {
            bytes.recycle();
        }
    }

    /** Nothing more will be heard of it. */
    void done(RuntimeException cause) {
        failure = cause;
        answered = true;
        if (waits) {
            hold.letGo();
        } else {
            window.release(lengthBytes);
        }
        if (waiter != null) {
            waiter.done(cause);
        }
        if (onAnswered != null) {
            onAnswered.run();
        }
    }

    /** It leaves the window of its session, which sends elsewhere meanwhile. */
    @Override
    public void waits(ProtocolException why) {
        if (waiter != null) {
            waiter.waits(why);
        }
        if (!waits) {
            waits = true;
            window.release(lengthBytes);
            hold.hold(why);
        }
    }

    boolean isAnswered() {
        return answered;
    }

    /** @return null for success; to be asked only once {@link #isAnswered} */
    RuntimeException failure() {
        return failure;
    }

    @Override
    public void answered(Record response) {
        doneForGood();
    }

    @Override
    public void failed(RuntimeException cause) {
        done(cause);
    }
}
