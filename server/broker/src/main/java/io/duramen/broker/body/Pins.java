package io.duramen.broker.body;

import io.duramen.metadata.ShardImage.PinRow;
import io.duramen.protocol.record.LargeBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.function.Predicate;

/**
 * Which parts are kept for which messages: a stored body is needed as long as its message is, wherever that stands.
 * Bounded whatever the backlog: of very many large messages of a partition, neighbours share a pin, and their bodies are
 * kept together. Confined to the shard's agent.
 */
public final class Pins {
    /** Most pins of one partition's parts, if their messages stand in one partition too. */
    static final int PINS_MAX = 1024;

    private final TreeMap<Integer, List<PinRow>> byHome = new TreeMap<>();

    /** A message that names a body is committed. */
    public void add(LargeBody body, int partition, long offset) {
        List<PinRow> pins = byHome.computeIfAbsent(body.partition(), home -> new ArrayList<>());
        pins.add(new PinRow(body.partition(), body.runs().first(0), partition, offset, offset));
        if (pins.size() > PINS_MAX) {
            byHome.put(body.partition(), joined(pins));
        }
    }

    private static List<PinRow> joined(List<PinRow> pins) {
        List<PinRow> joined = new ArrayList<>();
        for (int i = 0; i < pins.size(); i++) {
            PinRow pin = pins.get(i);
            PinRow next = i + 1 < pins.size() ? pins.get(i + 1) : null;
            if (next != null && next.partition() == pin.partition()) {
                joined.add(new PinRow(
                        pin.home(),
                        Math.min(pin.firstPart(), next.firstPart()),
                        pin.partition(),
                        Math.min(pin.firstOffset(), next.firstOffset()),
                        Math.max(pin.lastOffset(), next.lastOffset())));
                i++;
            } else {
                joined.add(pin);
            }
        }
        return joined;
    }

    /**
     * Drops those whose messages nobody needs.
     *
     * @param changes told of each partition some of whose pins are about to go
     */
    public void prune(Predicate<PinRow> needed, IntConsumer changes) {
        byHome.forEach((home, pins) -> {
            if (!pins.stream().allMatch(needed)) {
                changes.accept(home);
                pins.removeIf(needed.negate());
            }
        });
        byHome.values().removeIf(List::isEmpty);
    }

    /** By the partition of the parts, then in the order of their messages. */
    public List<PinRow> toRows() {
        List<PinRow> rows = new ArrayList<>();
        byHome.values().forEach(rows::addAll);
        return rows;
    }

    /** Partitions that have pins. */
    public Set<Integer> homes() {
        return byHome.keySet();
    }

    /** The pins of a partition's parts, in the order of their messages. */
    public List<PinRow> of(int home) {
        return List.copyOf(byHome.getOrDefault(home, List.of()));
    }

    public void load(List<PinRow> rows) {
        rows.forEach(row ->
                byHome.computeIfAbsent(row.home(), home -> new ArrayList<>()).add(row));
    }
}
