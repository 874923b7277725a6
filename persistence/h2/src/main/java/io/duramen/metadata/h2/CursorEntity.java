package io.duramen.metadata.h2;

import io.duramen.metadata.ShardImage.CursorRow;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Lob;
import jakarta.persistence.Table;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;

/** What a subscription has settled of one partition. */
@Entity
@Table(name = "partition_cursor")
@IdClass(CursorEntity.Key.class)
class CursorEntity extends CheckedRow {
    record Key(int shard, int subscription, int partition) {}

    @Id
    private int shard;

    @Id
    @Column(name = "subscription_id")
    private int subscription;

    @Id
    @Column(name = "partition_id")
    private int partition;

    @Column(name = "settled_below")
    private long settledBelow;

    @Lob
    @Column(name = "settled_beyond")
    private byte[] settledBeyond;

    @Lob
    @Column(name = "delivery_counts")
    private byte[] deliveryCounts;

    CursorEntity() {}

    CursorEntity(ResultSet row) throws SQLException {
        shard = row.getInt("shard");
        subscription = row.getInt("subscription_id");
        partition = row.getInt("partition_id");
        settledBelow = row.getLong("settled_below");
        settledBeyond = row.getBytes("settled_beyond");
        deliveryCounts = row.getBytes("delivery_counts");
        read(row);
    }

    CursorEntity(int shard, CursorRow row) {
        this.shard = shard;
        subscription = row.subscription();
        partition = row.partition();
        settledBelow = row.settledBelow();
        settledBeyond = Packed.copyOf(row.settledBeyond());
        deliveryCounts = Packed.counts(row.deliveryCounts());
        seal();
    }

    static CursorEntity keyed(int shard, int subscription, int partition) {
        CursorEntity entity = new CursorEntity();
        entity.shard = shard;
        entity.subscription = subscription;
        entity.partition = partition;
        return entity;
    }

    CursorRow toRow() {
        return new CursorRow(
                subscription, partition, settledBelow, ByteBuffer.wrap(settledBeyond), Packed.counts(deliveryCounts));
    }

    @Override
    long computedCheck() {
        return new RowCheck(5)
                .add(shard)
                .add(subscription)
                .add(partition)
                .add(settledBelow)
                .add(settledBeyond)
                .add(deliveryCounts)
                .value();
    }
}
