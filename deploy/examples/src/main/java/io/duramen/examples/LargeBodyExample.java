package io.duramen.examples;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.message.StreamedBytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * Sends one message whose body is a stream, and saves the body of the one that comes back: neither side ever holds more
 * than a few parts of it. The second argument is its length in MiB.
 */
public final class LargeBodyExample {
    private static final long MIB = 1024 * 1024;
    private static final int LENGTH_MIB = 64;

    private LargeBodyExample() {}

    public static void main(String[] arguments) throws JMSException, IOException {
        long length = arguments.length > 1 ? Long.parseLong(arguments[1]) : LENGTH_MIB;
        try (Connection connection = new DuramenConnectionFactory(ServerUrl.from(arguments)).createConnection()) {
            connection.start();
            Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
            Queue files = session.createQueue("examples.files");

            // The stream is read while the message is sent; send returns when all of it is on the server's disk.
            CheckedInputStream source = new CheckedInputStream(new Numbers(length * MIB), new CRC32C());
            StreamedBytesMessage message = (StreamedBytesMessage) session.createBytesMessage();
            message.setInputStream(source);
            message.setStringProperty("name", "numbers.bin");
            session.createProducer(files).send(message);
            System.out.printf("sent %d MiB%n", length);

            // The body is fetched while it is read, which is possible until the message is acknowledged.
            MessageConsumer consumer = session.createConsumer(files);
            StreamedBytesMessage received = (StreamedBytesMessage) consumer.receive();
            CheckedOutputStream target = new CheckedOutputStream(OutputStream.nullOutputStream(), new CRC32C());
            long saved = received.saveTo(target);
            received.acknowledge();
            boolean same =
                    source.getChecksum().getValue() == target.getChecksum().getValue();
            System.out.printf(
                    "received %s, %d MiB, %s%n",
                    received.getStringProperty("name"), saved / MIB, same ? "the same" : "another");
        }
    }

    /** So many bytes. */
    private static final class Numbers extends InputStream {
        private final long length;
        private long place;

        Numbers(long length) {
            this.length = length;
        }

        @Override
        public int read() {
            return place == length ? -1 : (int) (place++ * 31 >>> 5) & 0xFF;
        }

        @Override
        public int read(byte[] into, int from, int most) {
            int count = (int) Math.min(most, length - place);
            for (int i = 0; i < count; i++) {
                into[from + i] = (byte) read();
            }
            return count == 0 && most > 0 ? -1 : count;
        }
    }
}
