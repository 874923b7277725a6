package io.duramen.broker;

import io.duramen.runtime.settings.Bytes;
import io.duramen.runtime.settings.Setting;
import java.time.Duration;

/** Settings under {@code metadata.}. */
public record MetadataConfig(
        @Setting(
                value = "h2",
                doc =
                        "Where a shard's state is kept beside its log: h2 = in a database, of which each time only what"
                                + " changed is written; file = in an image file, written as a whole, for small nodes and tests.")
        Store store,

        @Setting(
                value = "5s",
                min = "10ms",
                max = "1h",
                doc = "What changed of a shard's state is stored when this long has passed since the last time.")
        Duration flushEvery,

        @Setting(
                value = "32MiB",
                min = "64KiB",
                doc =
                        "What changed of a shard's state is stored when the log has grown by this much since the last time:"
                                + " about as much is replayed by a start after a crash.")
        Bytes flushBytes,

        @Setting(
                value = "1m",
                min = "10ms",
                max = "1d",
                doc =
                        "A snapshot of all of a shard's state, from which the metadata store can be rebuilt, is put beside"
                                + " the log when this long has passed since the last, if it changed. Only then are segments"
                                + " deleted that nobody needs.")
        Duration snapshotEvery,

        @Setting(
                value = "128MiB",
                min = "64KiB",
                doc = "Such a snapshot is taken when the log has grown by this much since the last.")
        Bytes snapshotBytes,

        @Setting(
                value = "30s",
                min = "10ms",
                max = "1h",
                doc =
                        "A metadata store that takes longer than this for one step is reported in the node's log, with what"
                                + " waits for it. Messages never do.")
        Duration slowAfter,

        @Setting(
                value = "200",
                min = "1",
                max = "100000",
                doc = "Rows of changed state that a shard makes ready for storing before it looks at messages again.")
        int rowsPerTurn) {
    /** See {@code metadata.store}. */
    public enum Store {
        H2,
        FILE
    }
}
