package io.duramen.metadata.h2;

import io.duramen.metadata.ShardChanges.FactKey;
import io.duramen.metadata.ShardImage.FactRow;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Lob;
import jakarta.persistence.Table;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Something that is known as a whole by its name. */
@Entity
@Table(name = "fact")
@IdClass(FactEntity.Key.class)
class FactEntity extends CheckedRow {
    record Key(int shard, int kind, String key) {}

    @Id
    private int shard;

    @Id
    private int kind;

    @Id
    @Column(name = "fact_key")
    private String key;

    @Lob
    private byte[] content;

    FactEntity() {}

    FactEntity(ResultSet row) throws SQLException {
        shard = row.getInt("shard");
        kind = row.getInt("kind");
        key = row.getString("fact_key");
        content = row.getBytes("content");
        read(row);
    }

    FactEntity(int shard, FactRow row) {
        this.shard = shard;
        kind = row.kind();
        key = row.key();
        ByteBuffer bytes = row.content();
        content = new byte[bytes.remaining()];
        bytes.get(content);
        seal();
    }

    static FactEntity keyed(int shard, FactKey name) {
        FactEntity entity = new FactEntity();
        entity.shard = shard;
        entity.kind = name.kind();
        entity.key = name.key();
        return entity;
    }

    FactRow toRow() {
        return new FactRow(kind, key, ByteBuffer.wrap(content));
    }

    @Override
    long computedCheck() {
        return new RowCheck(10).add(shard).add(kind).add(key).add(content).value();
    }
}
