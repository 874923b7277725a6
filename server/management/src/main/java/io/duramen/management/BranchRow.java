package io.duramen.management;

import javax.management.ConstructorParameters;

/**
 * A prepared branch. Immutable.
 *
 * @param id format, global id and qualifier, the latter two in hexadecimal, parted by colons
 * @param shard in which it was prepared
 * @param user who prepared it
 * @param preparedMillis milliseconds since 1970
 * @param ageMillis since it was prepared
 * @param messages that it sends, in that shard
 * @param settles deliveries of queues and durable subscriptions that it accepts, in that shard
 */
public record BranchRow(
        String id, int shard, String user, long preparedMillis, long ageMillis, long messages, long settles) {
    @ConstructorParameters({"id", "shard", "user", "preparedMillis", "ageMillis", "messages", "settles"})
    public BranchRow {}

    public String getId() {
        return id;
    }

    public int getShard() {
        return shard;
    }

    public String getUser() {
        return user;
    }

    public long getPreparedMillis() {
        return preparedMillis;
    }

    public long getAgeMillis() {
        return ageMillis;
    }

    public long getMessages() {
        return messages;
    }

    public long getSettles() {
        return settles;
    }
}
