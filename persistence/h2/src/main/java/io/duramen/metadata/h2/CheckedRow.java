package io.duramen.metadata.h2;

import jakarta.persistence.Column;
import jakarta.persistence.MappedSuperclass;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A row of a shard that carries a checksum of all its other columns. Written through Hibernate, read without: a start need
 * not wait for it.
 */
@MappedSuperclass
abstract class CheckedRow {
    @Column(name = "check_sum")
    private long checkSum;

    /** Of the values as they are now. */
    abstract long computedCheck();

    /** The checksum is the one that was read. */
    final void read(ResultSet row) throws SQLException {
        checkSum = row.getLong("check_sum");
    }

    final void seal() {
        checkSum = computedCheck();
    }

    final long check() {
        return checkSum;
    }

    final boolean isWhole() {
        return checkSum == computedCheck();
    }
}
