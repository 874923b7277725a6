package io.duramen.metadata.h2;

import io.duramen.metadata.ShardImage.PartitionRow;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The ends of a partition. */
@Entity
@Table(name = "partition_end")
@IdClass(PartitionEntity.Key.class)
class PartitionEntity extends CheckedRow {
    record Key(int shard, int partition) {}

    @Id
    private int shard;

    @Id
    @Column(name = "partition_id")
    private int partition;

    private int home;

    @Column(name = "next_offset")
    private long nextOffset;

    @Column(name = "priority_end")
    private long priorityEnd;

    @Column(name = "delivery_time_end")
    private long deliveryTimeEnd;

    @Column(name = "expiration_end")
    private long expirationEnd;

    @Column(name = "group_end")
    private long groupEnd;

    @Column(name = "next_part")
    private long nextPart;

    PartitionEntity() {}

    PartitionEntity(ResultSet row) throws SQLException {
        shard = row.getInt("shard");
        partition = row.getInt("partition_id");
        home = row.getInt("home");
        nextOffset = row.getLong("next_offset");
        priorityEnd = row.getLong("priority_end");
        deliveryTimeEnd = row.getLong("delivery_time_end");
        expirationEnd = row.getLong("expiration_end");
        groupEnd = row.getLong("group_end");
        nextPart = row.getLong("next_part");
        read(row);
    }

    PartitionEntity(int shard, PartitionRow row) {
        this.shard = shard;
        partition = row.partition();
        home = row.home();
        nextOffset = row.nextOffset();
        priorityEnd = row.priorityEnd();
        deliveryTimeEnd = row.deliveryTimeEnd();
        expirationEnd = row.expirationEnd();
        groupEnd = row.groupEnd();
        nextPart = row.nextPart();
        seal();
    }

    static PartitionEntity keyed(int shard, int partition) {
        PartitionEntity entity = new PartitionEntity();
        entity.shard = shard;
        entity.partition = partition;
        return entity;
    }

    PartitionRow toRow() {
        return new PartitionRow(
                partition, home, nextOffset, priorityEnd, deliveryTimeEnd, expirationEnd, groupEnd, nextPart);
    }

    @Override
    long computedCheck() {
        return new RowCheck(3)
                .add(shard)
                .add(partition)
                .add(home)
                .add(nextOffset)
                .add(priorityEnd)
                .add(deliveryTimeEnd)
                .add(expirationEnd)
                .add(groupEnd)
                .add(nextPart)
                .value();
    }
}
