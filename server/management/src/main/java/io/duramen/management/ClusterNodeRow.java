package io.duramen.management;

import javax.management.ConstructorParameters;

/**
 * A node of a cluster. Immutable.
 *
 * @param address at which the nodes talk with each other
 * @param clients address at which clients reach it; empty where it has not said so yet
 * @param role LEADING, FOLLOWING, JOINING for one that is being added, BEGINS_ANEW for one that copies the leader's log in
 *     place of its own, which is damaged, or UNKNOWN where no leader is known
 * @param inSync whether it has all that is committed; false where this node does not lead
 * @param lagEntries that the leader has and it has not; -1 where that is not known
 * @param silentMillis since it was asked what it has answered last; -1 where that is not known
 * @param formatMax level of formats up to which it reads; -1 where it has not said so since this node started
 */
public record ClusterNodeRow(
        String name,
        String address,
        String clients,
        String role,
        boolean inSync,
        long lagEntries,
        long silentMillis,
        int formatMax) {
    @ConstructorParameters({"name", "address", "clients", "role", "inSync", "lagEntries", "silentMillis", "formatMax"})
    public ClusterNodeRow {}

    public String getName() {
        return name;
    }

    public String getAddress() {
        return address;
    }

    public String getClients() {
        return clients;
    }

    public String getRole() {
        return role;
    }

    public boolean isInSync() {
        return inSync;
    }

    public long getLagEntries() {
        return lagEntries;
    }

    public long getSilentMillis() {
        return silentMillis;
    }

    public int getFormatMax() {
        return formatMax;
    }
}
