package io.duramen.broker.kit;

import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.RecordBatch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Builds record batches out of texts. */
public final class Batches {
    private final List<String> texts = new ArrayList<>();
    private long producerId;
    private int epoch;
    private long sequence = -1;
    private long expirationMillis;
    private long deliveryTimeMillis;
    private int priority = MessageRecord.PRIORITY_USUAL;
    private int group;
    private Function<String, Records> recordOf = text -> Records.aRecord();
    private ByteBuffer prepared;

    private Batches() {}

    public static Batches of(String... texts) {
        Batches batches = new Batches();
        batches.texts.addAll(List.of(texts));
        return batches;
    }

    public Batches by(long producer, int producerEpoch, long baseSequence) {
        producerId = producer;
        epoch = producerEpoch;
        sequence = baseSequence;
        return this;
    }

    public Batches expiringAt(long millis) {
        expirationMillis = millis;
        return this;
    }

    public Batches deliveredAt(long millis) {
        deliveryTimeMillis = millis;
        return this;
    }

    public Batches withPriority(int value) {
        priority = value;
        return this;
    }

    /** @param hash 0 for none */
    public Batches inGroup(int hash) {
        group = hash;
        return this;
    }

    /** The headers and properties of each message, by its text. */
    public Batches each(Function<String, Records> record) {
        recordOf = record;
        return this;
    }

    /** Each message has what stands before its colon, where it has one, as its dedup id. */
    public Batches withDedupIds() {
        return each(text -> text.indexOf(':') < 0
                ? Records.aRecord()
                : Records.aRecord().withDedupId(text.substring(0, text.indexOf(':'))));
    }

    /** Builds the bytes once, for many uses. */
    public Batches prepared() {
        prepared = batch();
        return this;
    }

    public ByteBuffer batch() {
        if (prepared != null) {
            return prepared.duplicate();
        }
        int size = RecordBatch.HEADER_LENGTH;
        for (String text : texts) {
            size += recordOf.apply(text).bytes(text).remaining();
        }
        ByteBuffer out = ByteBuffer.allocate(size).position(RecordBatch.HEADER_LENGTH);
        texts.forEach(text -> put(out, text));
        out.flip();
        RecordBatch.seal(out, true, producerId, epoch, sequence, texts.size());
        return out;
    }

    private void put(ByteBuffer out, String text) {
        int at = out.position();
        out.put(recordOf.apply(text).bytes(text));
        out.put(at + MessageRecord.PRIORITY_AT, (byte) priority);
        out.putLong(at + MessageRecord.EXPIRATION_AT, expirationMillis);
        out.putLong(at + MessageRecord.DELIVERY_TIME_AT, deliveryTimeMillis);
        out.putInt(at + MessageRecord.GROUP_HASH_AT, group);
    }

    /** The text that a record was built from. */
    public static String textOf(ByteBuffer record) {
        byte[] body = new byte[record.getInt(record.position() + MessageRecord.BODY_LENGTH_AT)];
        record.get(record.limit() - body.length, body);
        return new String(body, StandardCharsets.UTF_8);
    }
}
