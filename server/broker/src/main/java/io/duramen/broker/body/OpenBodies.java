package io.duramen.broker.body;

import io.duramen.metadata.ShardImage.OpenBodyRow;
import io.duramen.protocol.record.BodyName;
import io.duramen.protocol.record.BodyPart;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/** Large bodies whose message is yet to come. Confined to the shard's agent. */
public final class OpenBodies {
    private final TreeMap<BodyName, OpenBody> bodies =
            new TreeMap<>(Comparator.comparingLong(BodyName::high).thenComparingLong(BodyName::low));

    /** @return null where there is none of this name */
    public OpenBody find(BodyName name) {
        return bodies.get(name);
    }

    /** A body whose first part is being appended. */
    public OpenBody open(BodyName name, int partition) {
        OpenBody body = new OpenBody(name, partition);
        bodies.put(name, body);
        return body;
    }

    public int size() {
        return bodies.size();
    }

    /** Sorted by name. */
    public Collection<OpenBody> all() {
        return bodies.values();
    }

    /** Replays a part. */
    public void committed(int partition, long offset, ByteBuffer part) {
        BodyName name = BodyPart.body(part);
        OpenBody body = bodies.get(name);
        if (body == null) {
            body = open(name, partition);
        }
        body.committed(BodyPart.index(part), offset, BodyPart.length(part));
    }

    /** Its message is there, or never will be. */
    public void remove(BodyName name) {
        bodies.remove(name);
    }

    /** Their destination was deleted. */
    public void removeOf(IntPredicate partition) {
        bodies.values().removeIf(body -> partition.test(body.partition()));
    }

    public List<OpenBodyRow> toRows() {
        return bodies.values().stream()
                .filter(OpenBody::isCommitted)
                .map(OpenBody::toRow)
                .toList();
    }

    public void load(List<OpenBodyRow> rows) {
        for (OpenBodyRow row : rows) {
            OpenBody body = OpenBody.load(row);
            bodies.put(body.name(), body);
        }
    }
}
