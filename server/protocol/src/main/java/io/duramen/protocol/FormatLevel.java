package io.duramen.protocol;

/**
 * What nodes write into logs that others replicate, by levels: all formats together, each level a superset of what was before it can
 * be read. A node reads all levels up to {@link #NEWEST}, and writes the one that was decided in the shard's log, so that nodes of two
 * releases can replicate each other's logs while they are exchanged one after the other. An operator raises it when all can read it;
 * it is never lowered.
 *
 * <pre>
 *   level   control records   segments   record batches   images
 *   1       1                 2          1                1
 * </pre>
 */
public final class FormatLevel {
    /** Where nothing was decided. */
    public static final int OLDEST = 1;

    /** Up to which this software reads. */
    public static final int NEWEST = 1;

    private FormatLevel() {}
}
