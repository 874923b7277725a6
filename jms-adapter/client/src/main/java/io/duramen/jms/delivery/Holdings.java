package io.duramen.jms.delivery;

import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.OffsetRange;
import java.util.ArrayList;
import java.util.List;

/**
 * Guarded by its feed. What the application was given and the node has not yet confirmed as settled, in three steps:
 * {@code given} (the application has it), {@code accepted} (to be settled with the next frame), {@code asked} (the
 * settlement is on its way). All three are what a consumer claims as held when it attaches again.
 */
final class Holdings {
    /** Those of one partition. */
    static final class Part {
        final int partition;
        final OffsetRanges given = new OffsetRanges();
        final OffsetRanges accepted = new OffsetRanges();
        final OffsetRanges asked = new OffsetRanges();
        /** Expired before the application saw them: to be given back with the next frame. */
        final OffsetRanges expired = new OffsetRanges();

        private Part(int partition) {
            this.partition = partition;
        }

        private boolean isEmpty() {
            return given.isEmpty() && accepted.isEmpty() && asked.isEmpty() && expired.isEmpty();
        }
    }

    private final List<Part> parts = new ArrayList<>(1);
    private Part last;

    Part of(int partition) {
        if (last != null && last.partition == partition) {
            return last;
        }
        for (Part part : parts) {
            if (part.partition == partition) {
                last = part;
                return part;
            }
        }
        last = new Part(partition);
        parts.add(last);
        return last;
    }

    List<Part> parts() {
        return parts;
    }

    boolean isEmpty() {
        for (Part part : parts) {
            if (!part.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    boolean hasGiven() {
        for (Part part : parts) {
            if (!part.given.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    List<Attach.HeldDeliveries> held() {
        List<Attach.HeldDeliveries> held = new ArrayList<>();
        for (Part part : parts) {
            OffsetRanges all = new OffsetRanges();
            all.addAll(part.given);
            all.addAll(part.accepted);
            all.addAll(part.asked);
            all.addAll(part.expired);
            if (!all.isEmpty()) {
                held.add(new Attach.HeldDeliveries(part.partition, all.toList()));
            }
        }
        return held;
    }

    /** Moves what was given in one partition to {@code asked}. */
    List<OffsetRange> ask(Part part) {
        List<OffsetRange> ranges = part.given.toList();
        part.asked.addAll(ranges);
        part.given.clear();
        return ranges;
    }
}
