package io.duramen.metadata.h2;

import io.duramen.metadata.ShardImage.BranchRow;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Lob;
import jakarta.persistence.Table;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A prepared branch of a distributed transaction. */
@Entity
@Table(name = "prepared_branch")
@IdClass(BranchEntity.Key.class)
class BranchEntity extends CheckedRow {
    record Key(int shard, String branch) {}

    @Id
    private int shard;

    @Id
    private String branch;

    @Column(name = "prepared_millis")
    private long preparedMillis;

    @Lob
    private byte[] content;

    BranchEntity() {}

    BranchEntity(ResultSet row) throws SQLException {
        shard = row.getInt("shard");
        branch = row.getString("branch");
        preparedMillis = row.getLong("prepared_millis");
        content = row.getBytes("content");
        read(row);
    }

    BranchEntity(int shard, BranchRow row) {
        this.shard = shard;
        branch = row.branch();
        preparedMillis = row.preparedMillis();
        ByteBuffer bytes = row.content();
        content = new byte[bytes.remaining()];
        bytes.get(content);
        seal();
    }

    static BranchEntity keyed(int shard, String branch) {
        BranchEntity entity = new BranchEntity();
        entity.shard = shard;
        entity.branch = branch;
        return entity;
    }

    BranchRow toRow() {
        return new BranchRow(branch, preparedMillis, ByteBuffer.wrap(content));
    }

    @Override
    long computedCheck() {
        return new RowCheck(9)
                .add(shard)
                .add(branch)
                .add(preparedMillis)
                .add(content)
                .value();
    }
}
