package io.duramen.metadata.h2;

import io.duramen.metadata.ShardImage.DestinationRow;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A destination's definition; the ends of its partitions are rows of their own. */
@Entity
@Table(name = "destination")
@IdClass(DestinationEntity.Key.class)
class DestinationEntity extends CheckedRow {
    record Key(int shard, String name) {}

    @Id
    private int shard;

    @Id
    private String name;

    private int kind;
    private long incarnation;
    private byte[] partitions;

    DestinationEntity() {}

    DestinationEntity(ResultSet row) throws SQLException {
        shard = row.getInt("shard");
        name = row.getString("name");
        kind = row.getInt("kind");
        incarnation = row.getLong("incarnation");
        partitions = row.getBytes("partitions");
        read(row);
    }

    DestinationEntity(int shard, DestinationRow row) {
        this.shard = shard;
        name = row.name();
        kind = row.kind();
        incarnation = row.incarnation();
        partitions = Packed.ids(row.partitions());
        seal();
    }

    /** Stands for the row with this key, to delete it. */
    static DestinationEntity keyed(int shard, String name) {
        DestinationEntity entity = new DestinationEntity();
        entity.shard = shard;
        entity.name = name;
        return entity;
    }

    String name() {
        return name;
    }

    int kind() {
        return kind;
    }

    long incarnation() {
        return incarnation;
    }

    int[] partitions() {
        return Packed.ids(partitions);
    }

    @Override
    long computedCheck() {
        return new RowCheck(2)
                .add(shard)
                .add(name)
                .add(kind)
                .add(incarnation)
                .add(partitions)
                .value();
    }
}
