package io.duramen.broker.body;

import io.duramen.metadata.ShardImage.OpenBodyRow;
import io.duramen.metadata.ShardImage.RunRow;
import io.duramen.protocol.record.BodyName;
import io.duramen.protocol.record.LargeBody;
import io.duramen.protocol.record.PartRuns;
import io.duramen.runtime.Invariant;
import java.util.ArrayList;
import java.util.List;

/** A large body of which parts are stored, and whose message is yet to come. Confined to the shard's agent. */
public final class OpenBody {
    private final BodyName name;
    private final int partition;

    // Soft beyond what is committed: what the leader has decided.
    private final PartRuns runs = new PartRuns();
    private long length;
    private boolean over;

    // Hard: rebuilt by replay.
    private int committedParts;
    private long committedLength;

    OpenBody(BodyName name, int partition) {
        this.name = name;
        this.partition = partition;
    }

    public BodyName name() {
        return name;
    }

    /** The partition whose parts they are. */
    public int partition() {
        return partition;
    }

    /** Parts appended, committed or not. */
    public int parts() {
        return runs.parts();
    }

    /** Bytes in them. */
    public long length() {
        return length;
    }

    /** Where a part stands. */
    public long offset(int index) {
        return runs.offset(index);
    }

    /** The next part is being appended. */
    public void append(long offset, int bytes) {
        runs.add(offset);
        length += bytes;
    }

    /** Replays a part. */
    void committed(int index, long offset, int bytes) {
        Invariant.hold(index == committedParts, "part %d committed where %d was due", index, committedParts);
        if (index == runs.parts()) {
            append(offset, bytes);
        }
        committedParts++;
        committedLength += bytes;
    }

    /** A message that names it, or its end, is being appended: nothing more is added. */
    public void end() {
        over = true;
    }

    public boolean isOver() {
        return over;
    }

    /** Whether this is all of that body. */
    public boolean isWhole(LargeBody body) {
        return body.partition() == partition
                && body.length() == length
                && body.runs().equals(runs);
    }

    /** Whether any of it survives the leader. */
    public boolean isCommitted() {
        return committedParts > 0;
    }

    /** What is committed of it. */
    public OpenBodyRow toRow() {
        PartRuns committed = runs.upTo(committedParts);
        List<RunRow> rows = new ArrayList<>();
        for (int i = 0; i < committed.runs(); i++) {
            rows.add(new RunRow(committed.first(i), committed.count(i)));
        }
        return new OpenBodyRow(name.high(), name.low(), partition, committedLength, rows);
    }

    static OpenBody load(OpenBodyRow row) {
        OpenBody body = new OpenBody(new BodyName(row.nameHigh(), row.nameLow()), row.partition());
        for (RunRow run : row.runs()) {
            for (int i = 0; i < run.count(); i++) {
                body.runs.add(run.first() + i);
            }
        }
        body.length = row.length();
        body.committedLength = row.length();
        body.committedParts = body.runs.parts();
        return body;
    }
}
