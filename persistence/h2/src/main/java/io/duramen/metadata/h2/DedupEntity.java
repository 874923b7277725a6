package io.duramen.metadata.h2;

import io.duramen.metadata.ShardImage.DedupRow;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Lob;
import jakarta.persistence.Table;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The dedup ids that a partition had lately, without those in full blocks, which stand in files. */
@Entity
@Table(name = "dedup_window")
@IdClass(DedupEntity.Key.class)
class DedupEntity extends CheckedRow {
    record Key(int shard, int partition) {}

    @Id
    private int shard;

    @Id
    @Column(name = "partition_id")
    private int partition;

    @Column(name = "first_id")
    private long first;

    @Column(name = "end_id")
    private long end;

    @Column(name = "left_out")
    private long leftOut;

    @Lob
    private byte[] tail;

    DedupEntity() {}

    DedupEntity(ResultSet row) throws SQLException {
        shard = row.getInt("shard");
        partition = row.getInt("partition_id");
        first = row.getLong("first_id");
        end = row.getLong("end_id");
        leftOut = row.getLong("left_out");
        tail = row.getBytes("tail");
        read(row);
    }

    DedupEntity(int shard, DedupRow row) {
        this.shard = shard;
        partition = row.partition();
        first = row.first();
        end = row.end();
        leftOut = row.leftOut();
        tail = Packed.copyOf(row.tail());
        seal();
    }

    static DedupEntity keyed(int shard, int partition) {
        DedupEntity entity = new DedupEntity();
        entity.shard = shard;
        entity.partition = partition;
        return entity;
    }

    DedupRow toRow() {
        return new DedupRow(partition, first, end, leftOut, ByteBuffer.wrap(tail));
    }

    @Override
    long computedCheck() {
        return new RowCheck(11)
                .add(shard)
                .add(partition)
                .add(first)
                .add(end)
                .add(leftOut)
                .add(tail)
                .value();
    }
}
