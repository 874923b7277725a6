package io.duramen.jms.peer;

import io.duramen.jms.destination.DuramenDestination;
import io.duramen.jms.message.AllowedClasses;
import io.duramen.jms.message.BatchBuffer;
import io.duramen.jms.message.DuramenMessage;
import io.duramen.jms.message.DuramenTextMessage;
import io.duramen.jms.message.MessageDecoder;
import io.duramen.jms.message.MessageEncoder;
import io.duramen.jms.message.SendHeaders;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.record.Deliveries;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.RecordBatch;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Any thread: holds nothing. Records and batches as tests want to see and to say them. */
public final class Wires {
    private static final DuramenDestination ANY = DuramenDestination.of(DestinationKind.QUEUE, "any");

    private Wires() {}

    /** The texts of a batch's messages, checked as a node would. */
    public static List<String> texts(ByteBuffer batch) {
        RecordBatch.check(batch);
        List<String> texts = new ArrayList<>();
        int at = batch.position() + RecordBatch.HEADER_LENGTH;
        while (at < batch.limit()) {
            int length = MessageRecord.check(batch, at);
            texts.add(text(batch.slice(at, length)));
            at += length;
        }
        return texts;
    }

    private static String text(ByteBuffer record) {
        try {
            DuramenMessage message = MessageDecoder.decode(record, ANY, 1, AllowedClasses.NONE);
            return message instanceof TextMessage text
                    ? text.getText()
                    : message.getClass().getSimpleName();
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    /** One delivered text message. */
    public record Sent(long offset, int count, String text, long expiration) {
        public static Sent of(long offset, String text) {
            return new Sent(offset, 1, text, 0);
        }
    }

    /** A Deliver frame for that consumer on partition 1. */
    public static Deliver.Push deliver(int consumerId, Sent... sent) {
        ByteBuffer out = ByteBuffer.allocate(64 * 1024);
        for (Sent each : sent) {
            Deliveries.put(out, each.offset, each.count, record(each));
        }
        return new Deliver.Push(0, consumerId, 1, sent.length, out.flip());
    }

    /** First deliveries of these texts, with ascending offsets. */
    public static Deliver.Push deliver(Attach.Request to, long firstOffset, String... texts) {
        Sent[] sent = new Sent[texts.length];
        for (int i = 0; i < texts.length; i++) {
            sent[i] = Sent.of(firstOffset + i, texts[i]);
        }
        return deliver(to.consumerId(), sent);
    }

    private static ByteBuffer record(Sent sent) {
        try {
            BatchBuffer buffer = new BatchBuffer(256, 0);
            DuramenTextMessage message = new DuramenTextMessage();
            message.setText(sent.text);
            MessageEncoder.encode(
                    message,
                    new SendHeaders()
                            .destination(ANY)
                            .times(1, sent.expiration, 0)
                            .id(7, 1),
                    buffer);
            return buffer.written();
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }
}
