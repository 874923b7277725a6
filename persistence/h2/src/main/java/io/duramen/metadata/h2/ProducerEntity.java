package io.duramen.metadata.h2;

import io.duramen.metadata.ShardChanges.ProducerKey;
import io.duramen.metadata.ShardImage.ProducerRow;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Last sequence of a producer on a partition, or of its transactions. */
@Entity
@Table(name = "producer")
@IdClass(ProducerEntity.Key.class)
class ProducerEntity extends CheckedRow {
    record Key(int shard, long producerId, int partition) {}

    @Id
    private int shard;

    @Id
    @Column(name = "producer_id")
    private long producerId;

    @Id
    @Column(name = "partition_id")
    private int partition;

    private int epoch;

    @Column(name = "last_base_sequence")
    private long lastBaseSequence;

    @Column(name = "last_sequence")
    private long lastSequence;

    @Column(name = "last_base_offset")
    private long lastBaseOffset;

    @Column(name = "last_millis")
    private long lastMillis;

    private byte[] gaps;

    @Column(name = "use_order")
    private long useOrder;

    ProducerEntity() {}

    ProducerEntity(ResultSet row) throws SQLException {
        shard = row.getInt("shard");
        producerId = row.getLong("producer_id");
        partition = row.getInt("partition_id");
        epoch = row.getInt("epoch");
        lastBaseSequence = row.getLong("last_base_sequence");
        lastSequence = row.getLong("last_sequence");
        lastBaseOffset = row.getLong("last_base_offset");
        lastMillis = row.getLong("last_millis");
        gaps = row.getBytes("gaps");
        useOrder = row.getLong("use_order");
        read(row);
    }

    /** @param useOrder place in the order of last use */
    ProducerEntity(int shard, ProducerRow row, long useOrder) {
        this.shard = shard;
        producerId = row.producerId();
        partition = row.partition();
        epoch = row.epoch();
        lastBaseSequence = row.lastBaseSequence();
        lastSequence = row.lastSequence();
        lastBaseOffset = row.lastBaseOffset();
        lastMillis = row.lastMillis();
        gaps = Packed.gaps(row.gaps());
        this.useOrder = useOrder;
        seal();
    }

    static ProducerEntity keyed(int shard, ProducerKey key) {
        ProducerEntity entity = new ProducerEntity();
        entity.shard = shard;
        entity.producerId = key.producerId();
        entity.partition = key.partition();
        return entity;
    }

    ProducerRow toRow() {
        return new ProducerRow(
                producerId,
                partition,
                epoch,
                lastBaseSequence,
                lastSequence,
                lastBaseOffset,
                lastMillis,
                Packed.gaps(gaps));
    }

    @Override
    long computedCheck() {
        return new RowCheck(6)
                .add(shard)
                .add(producerId)
                .add(partition)
                .add(epoch)
                .add(lastBaseSequence)
                .add(lastSequence)
                .add(lastBaseOffset)
                .add(lastMillis)
                .add(gaps)
                .add(useOrder)
                .value();
    }
}
