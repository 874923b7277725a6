package io.duramen.broker.shard;

/**
 * How far what is kept of a shard's state beside its log lies behind.
 *
 * @param storedIndex the state was stored as of this entry: a start replays the log from here
 * @param snapshotIndex a snapshot holds it as of this entry: segments up to here may be deleted
 * @param replayBytes of log that a start would replay now
 * @param heldBytes of log that no snapshot covers: none of them can be deleted
 * @param failures of storing and of snapshots, since the start
 * @param slow how often one of them took longer than {@code metadata.slow-after}, since the start
 * @param directSnapshots taken without the metadata store because that failed or did not answer, since the start
 * @param waitingNanos since the one under way began; 0 where none is
 */
public record StateKept(
        long storedIndex,
        long snapshotIndex,
        long replayBytes,
        long heldBytes,
        long failures,
        long slow,
        long directSnapshots,
        long waitingNanos) {}
