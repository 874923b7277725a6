package io.duramen.simulation.invariant;

import io.duramen.protocol.ErrorCode;
import io.duramen.simulation.broker.Attachment;
import io.duramen.simulation.broker.Observer;
import io.duramen.simulation.message.TestMessage;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A half message is seen in its queue if, and only if, somebody confirmed it; where nobody said what became of it, it is
 * parked; and one of these, or its being cancelled, is the end of each that was stored.
 */
public final class HalvesEndAsTold implements Observer {
    private static final class Half {
        private boolean stored;
        private boolean confirmAsked;
        private boolean cancelAsked;
        private boolean confirmed;
        private boolean cancelled;
        private String seenIn;
        private Attachment.Place place;

        boolean isOver() {
            return cancelled || seenIn != null;
        }
    }

    private final String parkedQueue;
    private final TreeMap<Long, Half> halves = new TreeMap<>();

    public HalvesEndAsTold(String parkedQueue) {
        this.parkedQueue = parkedQueue;
    }

    /** Whether each that was stored has ended, and those that are not cancelled have been seen. */
    public boolean areOver() {
        return halves.values().stream().allMatch(half -> half.isOver() || !half.stored);
    }

    @Override
    public void halfPreparing(long sender) {
        halves.computeIfAbsent(sender, none -> new Half());
    }

    @Override
    public void halfPrepared(long sender) {
        halves.get(sender).stored = true;
    }

    @Override
    public void halfEnding(long sender, boolean confirm) {
        Half half = halves.get(sender);
        half.confirmAsked |= confirm;
        half.cancelAsked |= !confirm;
    }

    @Override
    public void halfEnded(long sender, boolean confirm, Optional<ErrorCode> refusal) {
        Half half = halves.get(sender);
        if (refusal.isPresent()) {
            require(refusal.get() != ErrorCode.HALF_NOT_FOUND || !half.stored, sender, "was stored and is not found");
            return;
        }
        half.confirmed |= confirm;
        half.cancelled |= !confirm;
        requireOneEnd(sender, half);
    }

    @Override
    public void delivering(Attachment attachment, Delivery delivery) {
        TestMessage message = delivery.message();
        if (!message.isHalf()) {
            return;
        }
        Half half = halves.get(message.sender());
        String queue = attachment.subscription().destination();
        require(half.place == null || half.place.equals(delivery.place()), message.sender(), "is stored twice");
        half.place = delivery.place();
        half.seenIn = queue;
        requireOneEnd(message.sender(), half);
    }

    private void requireOneEnd(long sender, Half half) {
        boolean parked = parkedQueue.equals(half.seenIn);
        boolean seen = half.seenIn != null && !parked;
        require(!seen || half.confirmAsked, sender, "was never confirmed and is seen");
        require(!half.cancelled || half.cancelAsked, sender, "was never cancelled and is");
        int ends = (half.cancelled ? 1 : 0) + (parked ? 1 : 0) + (seen || half.confirmed ? 1 : 0);
        require(ends <= 1, sender, "has ended in two ways");
    }

    @Override
    public void atRest() {
        halves.forEach((sender, half) -> {
            require(half.isOver() || !half.stored, sender, "was stored and has no end");
            require(half.seenIn != null || !half.confirmed, sender, "was confirmed and never seen");
        });
    }

    private static void require(boolean holds, long sender, String what) {
        if (!holds) {
            throw new AssertionError("half message of " + sender + " " + what);
        }
    }
}
