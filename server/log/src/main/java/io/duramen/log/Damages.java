package io.duramen.log;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The segments of a log that were found damaged, one damage each; told to people once each. Confined to the agent. */
final class Damages {
    private static final Logger LOG = LoggerFactory.getLogger(Damages.class);

    private final SegmentTable segments;
    private final Map<Segment, Damage> bySegment = new LinkedHashMap<>();

    Damages(SegmentTable segments) {
        this.segments = segments;
    }

    void found(Segment segment, Damage damage) {
        if (bySegment.putIfAbsent(segment, damage) == null) {
            LOG.error("The log is damaged: {}", damage);
        }
    }

    /** It was read through, and all of it is as it was written. */
    void intact(Segment segment) {
        Damage before = bySegment.remove(segment);
        if (before != null) {
            LOG.info("{} is intact by now, after: {}", segment.name(), before);
        }
    }

    /** The first one found of those in segments that the log still has. */
    Optional<Damage> first() {
        if (bySegment.isEmpty()) {
            return Optional.empty();
        }
        bySegment.keySet().removeIf(segment -> !segments.all().contains(segment));
        return bySegment.values().stream().findFirst();
    }
}
