package io.duramen.management;

import java.util.List;

/**
 * What an operator should know of: {@code type=Alerts}. The node looks each {@code management.watch-every}; what it finds is raised
 * as a JMX notification of the type {@code io.duramen.alert.KIND}, and once it is over as one of {@code io.duramen.alert.over},
 * whose messages name it. The kinds:
 *
 * <ul>
 *   <li>{@code shard-stopped}: a shard takes no more changes until the node restarts;
 *   <li>{@code log-damaged}: a file of a shard's log is not as it was written;
 *   <li>{@code disk-full}: a shard refuses messages for lack of disk space;
 *   <li>{@code disk-low}: the disk of the data directory has little room left;
 *   <li>{@code destination-full}: a partition has as much as the limits of its destination let it have;
 *   <li>{@code branch-in-doubt}: a prepared branch has waited for its transaction manager for long;
 *   <li>{@code consumer-stuck}: a consumer has held a message for long;
 *   <li>{@code consumers-failing}: many messages became dead letters since the last look.
 * </ul>
 */
public interface AlertsMXBean {
    /** Those that are not over, the oldest first. */
    List<AlertRow> getActive();

    /** How many were raised since the node started. */
    long getRaised();
}
