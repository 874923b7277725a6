package io.duramen.metadata.h2;

import io.duramen.metadata.ShardChanges.BodyKey;
import io.duramen.metadata.ShardImage.OpenBodyRow;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Lob;
import jakarta.persistence.Table;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A large body of which parts are stored, and that no message names yet. */
@Entity
@Table(name = "open_body")
@IdClass(OpenBodyEntity.Key.class)
class OpenBodyEntity extends CheckedRow {
    record Key(int shard, long nameHigh, long nameLow) {}

    @Id
    private int shard;

    @Id
    @Column(name = "name_high")
    private long nameHigh;

    @Id
    @Column(name = "name_low")
    private long nameLow;

    @Column(name = "partition_id")
    private int partition;

    @Column(name = "body_length")
    private long length;

    @Lob
    private byte[] runs;

    OpenBodyEntity() {}

    OpenBodyEntity(ResultSet row) throws SQLException {
        shard = row.getInt("shard");
        nameHigh = row.getLong("name_high");
        nameLow = row.getLong("name_low");
        partition = row.getInt("partition_id");
        length = row.getLong("body_length");
        runs = row.getBytes("runs");
        read(row);
    }

    OpenBodyEntity(int shard, OpenBodyRow row) {
        this.shard = shard;
        nameHigh = row.nameHigh();
        nameLow = row.nameLow();
        partition = row.partition();
        length = row.length();
        runs = Packed.runs(row.runs());
        seal();
    }

    static OpenBodyEntity keyed(int shard, BodyKey key) {
        OpenBodyEntity entity = new OpenBodyEntity();
        entity.shard = shard;
        entity.nameHigh = key.high();
        entity.nameLow = key.low();
        return entity;
    }

    OpenBodyRow toRow() {
        return new OpenBodyRow(nameHigh, nameLow, partition, length, Packed.runs(runs));
    }

    @Override
    long computedCheck() {
        return new RowCheck(7)
                .add(shard)
                .add(nameHigh)
                .add(nameLow)
                .add(partition)
                .add(length)
                .add(runs)
                .value();
    }
}
