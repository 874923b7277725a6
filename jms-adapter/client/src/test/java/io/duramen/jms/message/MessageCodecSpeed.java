package io.duramen.jms.message;

import io.duramen.protocol.record.RecordBatch;
import jakarta.jms.JMSException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * A main, no test: prints what a message costs a client, in nanoseconds of its thread's CPU time, so
 * that other load matters little. To be run with
 * {@code -XX:TieredStopAtLevel=1} for short-lived programs and without for long-lived ones.
 */
public final class MessageCodecSpeed {
    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();
    private static final int ROUNDS = 8;
    private static final int MESSAGES = 40_000;
    private static final int IN_BATCH = 100;
    private static final byte[] BYTES = new byte[1024];
    private static final String ASCII = "x".repeat(1024);
    private static final String LATIN = "grün ".repeat(205);
    private static final String WIDE = "Дерево ".repeat(146);

    private static long consumed;

    private MessageCodecSpeed() {}

    private interface Making {
        DuramenMessage make(int number) throws JMSException;
    }

    private interface Reading {
        long read(DuramenMessage message) throws JMSException;
    }

    public static void main(String[] args) throws JMSException {
        for (int round = 1; round <= 2; round++) {
            measure("bytes 1 KiB", number -> bytes(), MessageCodecSpeed::readBytes);
            measure("bytes 1 KiB, 3 properties", MessageCodecSpeed::withProperties, MessageCodecSpeed::readProperties);
            measure("text 1 Ki ASCII", number -> new DuramenTextMessage(ASCII), MessageCodecSpeed::readText);
            measure("text 1 Ki Latin-1", number -> new DuramenTextMessage(LATIN), MessageCodecSpeed::readText);
            measure("text 1 Ki Cyrillic", number -> new DuramenTextMessage(WIDE), MessageCodecSpeed::readText);
        }
        System.out.println("(" + consumed + ")");
    }

    private static void measure(String name, Making making, Reading reading) throws JMSException {
        double encode = Double.MAX_VALUE;
        double decode = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long encoding = 0;
            long decoding = 0;
            for (int sent = 0; sent < MESSAGES; sent += IN_BATCH) {
                long start = CPU.getCurrentThreadCpuTime();
                ByteBuffer written = encodeBatch(making, sent);
                long middle = CPU.getCurrentThreadCpuTime();
                decodeBatch(written, reading);
                encoding += middle - start;
                decoding += CPU.getCurrentThreadCpuTime() - middle;
            }
            encode = Math.min(encode, (double) encoding / MESSAGES);
            decode = Math.min(decode, (double) decoding / MESSAGES);
        }
        System.out.printf(Locale.ROOT, "%-28s make+encode %6.0f ns, decode+read %6.0f ns%n", name, encode, decode);
    }

    private static ByteBuffer encodeBatch(Making making, int from) throws JMSException {
        BatchBuffer out = new BatchBuffer(128 * 1024, RecordBatch.HEADER_LENGTH);
        SendHeaders send = new SendHeaders().destination(Records.ORDERS);
        for (int i = 0; i < IN_BATCH; i++) {
            send.times(1_000_000 + from, 0, 0).id(77, from + i + 1);
            MessageEncoder.encode(making.make(from + i), send, out);
        }
        return out.written();
    }

    private static void decodeBatch(ByteBuffer written, Reading reading) throws JMSException {
        int at = RecordBatch.HEADER_LENGTH;
        for (int i = 0; i < IN_BATCH; i++) {
            int length = written.getInt(at) + 4;
            DuramenMessage message =
                    MessageDecoder.decode(written.slice(at, length), Records.ORDERS, 1, AllowedClasses.NONE);
            consumed += reading.read(message);
            at += length;
        }
    }

    private static DuramenMessage bytes() throws JMSException {
        DuramenBytesMessage message = new DuramenBytesMessage();
        message.writeBytes(BYTES);
        return message;
    }

    private static DuramenMessage withProperties(int number) throws JMSException {
        DuramenMessage message = bytes();
        message.setIntProperty("number", number);
        message.setStringProperty("colour", "green");
        message.setLongProperty("time", 1L << 40);
        return message;
    }

    private static long readBytes(DuramenMessage message) throws JMSException {
        DuramenBytesMessage bytes = (DuramenBytesMessage) message;
        byte[] into = new byte[(int) bytes.getBodyLength()];
        return bytes.readBytes(into) + message.getJMSTimestamp();
    }

    private static long readProperties(DuramenMessage message) throws JMSException {
        return readBytes(message)
                + message.getIntProperty("number")
                + message.getStringProperty("colour").length();
    }

    private static long readText(DuramenMessage message) throws JMSException {
        return ((DuramenTextMessage) message).getText().length();
    }
}
