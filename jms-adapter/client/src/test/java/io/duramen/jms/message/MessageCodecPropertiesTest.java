package io.duramen.jms.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.destination.DuramenDestination;
import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.frame.DestinationKind;
import jakarta.jms.JMSException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds for any message and for any bytes. Seeds are fixed: a run is the same each time. */
class MessageCodecPropertiesTest {
    @Property(tries = 200, seed = "20260101")
    void shouldCarryProperties(@ForAll("properties") Map<String, Object> properties) throws JMSException {
        DuramenMessage message = new DuramenMessage();
        for (Map.Entry<String, Object> property : properties.entrySet()) {
            message.setObjectProperty(property.getKey(), property.getValue());
        }
        DuramenMessage received = Records.received(Records.received(message));

        Map<String, Object> carried = new LinkedHashMap<>();
        for (Object name : Collections.list(received.getPropertyNames())) {
            carried.put((String) name, received.getObjectProperty((String) name));
        }
        carried.remove("JMSXDeliveryCount");
        carried.remove("JMSXRcvTimestamp");
        assertThat(carried).isEqualTo(properties);
    }

    @Property(tries = 200, seed = "20260102")
    void shouldCarryMapsAndStreams(@ForAll("entries") List<Object> values) throws JMSException {
        DuramenMapMessage map = new DuramenMapMessage();
        DuramenStreamMessage stream = new DuramenStreamMessage();
        for (int i = 0; i < values.size(); i++) {
            map.setObject("entry " + i, values.get(i));
            stream.writeObject(values.get(i));
        }
        DuramenMapMessage receivedMap = Records.received(map);
        DuramenStreamMessage receivedStream = Records.received(stream);

        for (int i = 0; i < values.size(); i++) {
            assertThat(receivedMap.getObject("entry " + i)).isEqualTo(values.get(i));
            assertThat(receivedStream.readObject()).isEqualTo(values.get(i));
        }
        assertThat(Collections.list(receivedMap.getMapNames())).hasSize(values.size());
    }

    @Property(tries = 200, seed = "20260103")
    void shouldCarryTextAndHeaders(
            @ForAll("texts") String text, @ForAll("texts") String header, @ForAll DestinationKind kind)
            throws JMSException {
        DuramenTextMessage message = new DuramenTextMessage(text);
        message.setJMSCorrelationID(header);
        message.setJMSType(header);
        message.setStringProperty("JMSXGroupID", header);
        message.setJMSReplyTo(DuramenDestination.of(kind, "to " + header));
        DuramenTextMessage received = Records.received(message);

        assertThat(received.getText()).isEqualTo(text);
        assertThat(received.getJMSCorrelationID()).isEqualTo(header);
        assertThat(received.getJMSType()).isEqualTo(header);
        assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo(header);
        assertThat(received.getJMSReplyTo()).isEqualTo(DuramenDestination.of(kind, "to " + header));
    }

    @Property(tries = 2000, seed = "20260104")
    void shouldReportDamageAndNothingElse(@ForAll long seed) throws JMSException {
        Random random = new Random(seed);
        ByteBuffer record = Records.encode(sample(random));
        for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
            int at = random.nextBoolean() ? random.nextInt(record.limit()) : 64 + random.nextInt(record.limit() - 64);
            record.put(at, (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(12)));
        }
        try {
            DuramenMessage message = Records.decode(record);
            readAll(message);
            Records.encode(message);
        } catch (MalformedFrameException | JMSException expected) {
            assertThat(expected).hasMessageNotContaining("null");
        }
    }

    @Property(tries = 1000, seed = "20260105")
    void shouldRefuseArbitraryBytes(@ForAll byte[] bytes) throws JMSException {
        try {
            readAll(Records.decode(ByteBuffer.wrap(bytes)));
        } catch (MalformedFrameException expected) {
            assertThat(expected).hasMessageNotContaining("null");
        }
    }

    private static DuramenMessage sample(Random random) throws JMSException {
        DuramenMessage message;
        switch (random.nextInt(4)) {
            case 0 -> message = new DuramenTextMessage("grün €");
            case 1 -> {
                DuramenMapMessage map = new DuramenMapMessage();
                map.setBytes("b", new byte[] {1, 2, 3});
                map.setString("s", "text");
                message = map;
            }
            case 2 -> {
                DuramenStreamMessage stream = new DuramenStreamMessage();
                stream.writeObject(null);
                stream.writeBytes(new byte[] {1, 2, 3});
                stream.writeDouble(1);
                message = stream;
            }
            default -> message = new DuramenBytesMessage();
        }
        message.setJMSCorrelationID("c");
        message.setJMSReplyTo(DuramenDestination.of(DestinationKind.TOPIC, "t"));
        message.setStringProperty("JMSXGroupID", "g");
        message.setIntProperty("JMSXGroupSeq", 1);
        message.setStringProperty("s", "ä");
        message.setBooleanProperty("b", true);
        return message;
    }

    /** Every lazily read part; each may only say JMSException. Attempts all, then throws what the first one threw. */
    private static void readAll(DuramenMessage message) throws JMSException {
        JMSException first = null;
        for (Part part : List.<Part>of(
                DuramenMessage::getJMSCorrelationID,
                DuramenMessage::getJMSReplyTo,
                each -> each.getObjectProperty("s"),
                DuramenMessage::getPropertyNames,
                each -> each instanceof DuramenStreamMessage stream
                        ? stream.readObject()
                        : each.getBody(Object.class))) {
            try {
                part.of(message);
            } catch (JMSException e) {
                first = e;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private interface Part {
        Object of(DuramenMessage message) throws JMSException;
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings()
                .all()
                .ofMaxLength(60)
                .filter(text -> text.codePoints().noneMatch(c -> c >= 0xD800 && c < 0xE000));
    }

    @Provide
    Arbitrary<Map<String, Object>> properties() {
        Arbitrary<String> names = Arbitraries.strings()
                .alpha()
                .withChars('_', '$', 'é')
                .ofMinLength(1)
                .ofMaxLength(12);
        return Arbitraries.maps(names.map(name -> "p" + name), propertyValues()).ofMaxSize(8);
    }

    @Provide
    Arbitrary<List<Object>> entries() {
        Arbitrary<Object> values = Arbitraries.oneOf(
                propertyValues(),
                Arbitraries.chars().all().asGeneric(),
                Arbitraries.bytes().array(byte[].class).ofMaxSize(40).asGeneric());
        return values.list().ofMaxSize(12);
    }

    private Arbitrary<Object> propertyValues() {
        return Arbitraries.oneOf(
                        texts().asGeneric(),
                        Arbitraries.of(true, false).asGeneric(),
                        Arbitraries.bytes().asGeneric(),
                        Arbitraries.shorts().asGeneric(),
                        Arbitraries.integers().asGeneric(),
                        Arbitraries.longs().asGeneric(),
                        Arbitraries.floats().asGeneric(),
                        Arbitraries.doubles().asGeneric())
                .injectNull(0.05);
    }
}
