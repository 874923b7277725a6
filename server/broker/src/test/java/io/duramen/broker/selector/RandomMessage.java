package io.duramen.broker.selector;

import io.duramen.broker.kit.Records;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The same message twice: as a map of what selectors see, and as a record. */
record RandomMessage(Map<String, Object> fields, ByteBuffer record) {
    private static final List<Object> NUMBERS = List.of(
            (byte) 1,
            (short) 2,
            0,
            3,
            -1,
            Integer.MAX_VALUE,
            Integer.MIN_VALUE,
            2L,
            2147483648L,
            Long.MIN_VALUE,
            16_777_217,
            0.5f,
            1.6777216e7f,
            2.0,
            0.1,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            -0.0);

    static RandomMessage draw(Random random) {
        Map<String, Object> fields = new HashMap<>();
        Records record = Records.aRecord();
        for (String name : List.of("z", "a", "b", "Größe", "c", "$x_1", "JMS_Vendor_x", "y")) {
            if (random.nextInt(5) > 0) {
                Object value = value(random);
                fields.put(name, value);
                record.with(name, value);
            }
        }
        fixed(random, fields, record);
        headers(random, fields, record);
        return new RandomMessage(fields, record.bytes("body"));
    }

    private static Object value(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> text(random);
            case 1 -> random.nextInt(6) == 0 ? null : (Object) random.nextBoolean();
            default -> NUMBERS.get(random.nextInt(NUMBERS.size()));
        };
    }

    private static String text(Random random) {
        return RandomSelectors.TEXTS.get(random.nextInt(RandomSelectors.TEXTS.size()));
    }

    private static void fixed(Random random, Map<String, Object> fields, Records record) {
        int priority = random.nextInt(10);
        record.withPriority(priority).at(priority * 1000L);
        fields.put("JMSPriority", priority);
        fields.put("JMSTimestamp", priority * 1000L);
        fields.put("JMSDeliveryMode", "NON_PERSISTENT");
        if (random.nextBoolean()) {
            record.persistent();
            fields.put("JMSDeliveryMode", "PERSISTENT");
        }
        if (random.nextBoolean()) {
            record.withId(7, 3);
            fields.put("JMSMessageID", "ID:0000000000000007-3");
        }
    }

    private static void headers(Random random, Map<String, Object> fields, Records record) {
        if (random.nextBoolean()) {
            String type = text(random);
            record.ofType(type);
            fields.put("JMSType", type);
        }
        if (random.nextBoolean()) {
            String correlation = text(random);
            record.correlated(correlation);
            fields.put("JMSCorrelationID", correlation);
        }
        if (random.nextBoolean()) {
            record.inGroup("ab", 3);
            fields.put("JMSXGroupID", "ab");
            fields.put("JMSXGroupSeq", 3);
        }
    }
}
