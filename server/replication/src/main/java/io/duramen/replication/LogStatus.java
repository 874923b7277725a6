package io.duramen.replication;

/**
 * How a log stands, for people. All counts from the log's own counters; reading them disturbs nothing.
 *
 * @param firstIndex index of the oldest entry kept
 * @param lastIndex index of the last entry appended
 * @param committedIndex index of the last entry committed
 * @param durableIndex index of the last entry known to be on disk on a quorum
 * @param epoch of the present leadership; 0 before the first
 * @param segments files that hold entries
 * @param lengthBytes bytes of all of them
 * @param full whether messages are refused for lack of space
 * @param damage file and position of the first damage found in it, and what it is; empty where none was found
 * @param stopped whether a write failed and the log is read-only
 */
public record LogStatus(
        long firstIndex,
        long lastIndex,
        long committedIndex,
        long durableIndex,
        long epoch,
        int segments,
        long lengthBytes,
        boolean full,
        String damage,
        boolean stopped) {}
