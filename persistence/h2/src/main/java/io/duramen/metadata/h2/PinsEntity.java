package io.duramen.metadata.h2;

import io.duramen.metadata.ShardChanges.HomePins;
import io.duramen.metadata.ShardImage.PinRow;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Lob;
import jakarta.persistence.Table;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Which messages need the parts of large bodies that a partition has. */
@Entity
@Table(name = "partition_pins")
@IdClass(PinsEntity.Key.class)
class PinsEntity extends CheckedRow {
    record Key(int shard, int partition) {}

    @Id
    private int shard;

    @Id
    @Column(name = "partition_id")
    private int partition;

    @Lob
    private byte[] pins;

    PinsEntity() {}

    PinsEntity(ResultSet row) throws SQLException {
        shard = row.getInt("shard");
        partition = row.getInt("partition_id");
        pins = row.getBytes("pins");
        read(row);
    }

    PinsEntity(int shard, HomePins row) {
        this.shard = shard;
        partition = row.home();
        pins = Packed.pins(row.pins());
        seal();
    }

    static PinsEntity keyed(int shard, int partition) {
        PinsEntity entity = new PinsEntity();
        entity.shard = shard;
        entity.partition = partition;
        return entity;
    }

    int partition() {
        return partition;
    }

    List<PinRow> pins() {
        return Packed.pins(partition, pins);
    }

    @Override
    long computedCheck() {
        return new RowCheck(8).add(shard).add(partition).add(pins).value();
    }
}
