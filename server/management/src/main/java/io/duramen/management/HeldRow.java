package io.duramen.management;

import javax.management.ConstructorParameters;

/**
 * A message in a consumer's hands. Immutable.
 *
 * @param id of the message
 * @param connection id of the consumer's connection, see {@link ConnectionsMXBean}
 * @param clientId empty for none
 * @param consumer number of the consumer on its connection
 * @param heldMillis for how long it has held it; -1 for since before its connection came back
 * @param deliveries that ended without success, before this one
 */
public record HeldRow(
        String id,
        String messageId,
        long connection,
        String user,
        String clientId,
        int consumer,
        long heldMillis,
        int deliveries) {
    @ConstructorParameters({"id", "messageId", "connection", "user", "clientId", "consumer", "heldMillis", "deliveries"
    })
    public HeldRow {}

    public String getId() {
        return id;
    }

    public String getMessageId() {
        return messageId;
    }

    public long getConnection() {
        return connection;
    }

    public String getUser() {
        return user;
    }

    public String getClientId() {
        return clientId;
    }

    public int getConsumer() {
        return consumer;
    }

    public long getHeldMillis() {
        return heldMillis;
    }

    public int getDeliveries() {
        return deliveries;
    }
}
