package io.duramen.simulation.message;

import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.PropertyType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the broker has written on a dead letter. Immutable.
 *
 * @param subscription empty for a queue's, or one without a name
 */
public record DeadMark(String origin, String subscription, String clientId, long deliveries, String cause) {
    /** Empty where the message is none. */
    public static Optional<DeadMark> read(ByteBuffer record) {
        int at = record.position()
                + MessageRecord.HEADER_LENGTH
                + record.getInt(record.position() + MessageRecord.HEADERS_LENGTH_AT);
        if (record.getInt(record.position() + MessageRecord.PROPERTIES_LENGTH_AT) == 0) {
            return Optional.empty();
        }
        Map<String, String> texts = new HashMap<>();
        ByteBuffer in = record.duplicate().position(at);
        for (int count = in.getInt(); count > 0; count--) {
            String name = text(in, in.getShort());
            PropertyType type = PropertyType.of(in.get());
            texts.put(name, type == PropertyType.LONG ? Long.toString(in.getLong()) : text(in, in.getInt()));
        }
        if (!texts.containsKey("JMS_Duramen_CauseCode")) {
            return Optional.empty(); // moved for another reason
        }
        return Optional.of(new DeadMark(
                texts.get("JMS_Duramen_Origin"),
                texts.getOrDefault("JMS_Duramen_Subscription", ""),
                texts.getOrDefault("JMS_Duramen_ClientId", ""),
                Long.parseLong(texts.get("JMS_Duramen_DeliveryCount")),
                texts.get("JMS_Duramen_CauseCode")));
    }

    private static String text(ByteBuffer in, int length) {
        byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
