package io.duramen.metadata.h2;

import jakarta.persistence.Column;
import jakarta.persistence.MappedSuperclass;

/** A row of a shard that carries a checksum of all its other columns. */
@MappedSuperclass
abstract class CheckedRow {
    @Column(name = "check_sum")
    private long checkSum;

    /** Of the values as they are now. */
    abstract long computedCheck();

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
