package io.duramen.metadata.h2;

import io.duramen.metadata.ShardHead;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.sql.ResultSet;
import java.sql.SQLException;

/** How far the state of a shard has come, and what all its rows together are. */
@Entity
@Table(name = "shard_state")
class StateRow extends CheckedRow {
    @Id
    private int shard;

    @Column(name = "applied_index")
    private long appliedIndex;

    @Column(name = "applied_epoch")
    private long appliedEpoch;

    @Column(name = "next_log_offset")
    private long nextLogOffset;

    @Column(name = "log_time_millis")
    private long logTimeMillis;

    @Column(name = "next_partition")
    private int nextPartition;

    @Column(name = "next_subscription")
    private int nextSubscription;

    @Column(name = "next_use")
    private long nextUse;

    @Column(name = "row_count")
    private long rowCount;

    @Column(name = "row_sum")
    private long rowSum;

    StateRow() {}

    StateRow(ResultSet row) throws SQLException {
        shard = row.getInt("shard");
        appliedIndex = row.getLong("applied_index");
        appliedEpoch = row.getLong("applied_epoch");
        nextLogOffset = row.getLong("next_log_offset");
        logTimeMillis = row.getLong("log_time_millis");
        nextPartition = row.getInt("next_partition");
        nextSubscription = row.getInt("next_subscription");
        nextUse = row.getLong("next_use");
        rowCount = row.getLong("row_count");
        rowSum = row.getLong("row_sum");
        read(row);
    }

    StateRow(ShardHead head, Totals totals) {
        shard = head.shard();
        appliedIndex = head.appliedIndex();
        appliedEpoch = head.appliedEpoch();
        nextLogOffset = head.nextLogOffset();
        logTimeMillis = head.logTimeMillis();
        nextPartition = head.nextPartition();
        nextSubscription = head.nextSubscription();
        nextUse = totals.nextUse();
        rowCount = totals.rows();
        rowSum = totals.sum();
        seal();
    }

    /**
     * What all rows of a shard together are.
     *
     * @param nextUse place in the order of producers' last use that the next gets
     * @param sum of the rows' checks
     */
    record Totals(long nextUse, long rows, long sum) {}

    ShardHead head() {
        return new ShardHead(
                shard, appliedIndex, appliedEpoch, nextLogOffset, logTimeMillis, nextPartition, nextSubscription);
    }

    Totals totals() {
        return new Totals(nextUse, rowCount, rowSum);
    }

    @Override
    long computedCheck() {
        return new RowCheck(1)
                .add(shard)
                .add(appliedIndex)
                .add(appliedEpoch)
                .add(nextLogOffset)
                .add(logTimeMillis)
                .add(nextPartition)
                .add(nextSubscription)
                .add(nextUse)
                .add(rowCount)
                .add(rowSum)
                .value();
    }
}
