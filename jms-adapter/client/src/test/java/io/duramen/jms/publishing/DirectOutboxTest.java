package io.duramen.jms.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.destination.DuramenDestination;
import io.duramen.jms.link.FrameSink;
import io.duramen.jms.link.Link;
import io.duramen.jms.link.LinkLimits;
import io.duramen.jms.link.Outgoing;
import io.duramen.jms.link.Reply;
import io.duramen.jms.message.DuramenTextMessage;
import io.duramen.jms.message.SendHeaders;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.record.RecordBatch;
import jakarta.jms.JMSException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a session remembers of where it has sent to. */
class DirectOutboxTest {
    private static final int MANY = 20 * DirectOutbox.TEMPORARY_KEPT;

    private final Map<Integer, Long> lastSequences = new HashMap<>();
    private final Queue<Outgoing> held = new ArrayDeque<>();
    private boolean holding;
    private final CallbackThread callbacks = new CallbackThread("callbacks");
    private final DirectOutbox outbox = new DirectOutbox(
            new Quick(),
            new SessionIdentity(7, 0, 0),
            new Completions(callbacks),
            SendAcks.USUAL,
            64 * 1024,
            64L * 1024 * 1024);

    @AfterEach
    void end() {
        callbacks.close();
    }

    /** Writes at once, or when told to; answers what it writes. */
    private final class Quick implements Link, FrameSink {
        @Override
        public void send(Outgoing outgoing) {
            if (holding) {
                held.add(outgoing);
            } else {
                outgoing.write(this);
            }
        }

        @Override
        public void sendLater(Outgoing outgoing) {
            send(outgoing);
        }

        @Override
        public void request(Record request, Reply reply) {
            Publish.Request publish = (Publish.Request) request;
            long first = RecordBatch.baseSequence(publish.batch());
            long last = first + RecordBatch.count(publish.batch()) - 1;
            Long before = lastSequences.put(publish.partition(), last);
            assertThat(first).isGreaterThan(before == null ? -1 : before);
            reply.answered(new Publish.Response(0));
        }

        @Override
        public void oneWay(Record request, int owner) {
            throw new AssertionError(request);
        }

        @Override
        public void push(Record push) {
            throw new AssertionError(push);
        }

        @Override
        public int connection() {
            return 1;
        }

        @Override
        public LinkLimits limits() {
            return new LinkLimits(1, 1024 * 1024, 1000, 0, 1);
        }

        @Override
        public long requestTimeoutNanos() {
            return 0;
        }

        @Override
        public OptionalLong upSinceNanos() {
            return OptionalLong.of(0);
        }

        @Override
        public void identify(String clientId, long incarnation) {}

        @Override
        public void close() {}
    }

    private void send(DestinationKind kind, int partition) throws JMSException {
        outbox.send(new DuramenTextMessage("m"), headers(kind, partition), new PartitionRef(partition, 0), true);
    }

    private static SendHeaders headers(DestinationKind kind, int partition) {
        return new SendHeaders().destination(DuramenDestination.of(kind, "d" + partition));
    }

    @Test
    void shouldForgetTemporaryDestinationsThatItSendsToNoMoreAndNeverGiveASequenceTwice() throws JMSException {
        for (int round = 0; round < 3; round++) {
            for (int partition = 1; partition <= MANY; partition++) {
                send(DestinationKind.TEMPORARY_QUEUE, partition);
                send(DestinationKind.TEMPORARY_QUEUE, 1 + partition % 3); // one that comes again and again
                assertThat(outbox.temporaryCount()).isLessThanOrEqualTo(DirectOutbox.TEMPORARY_KEPT);
            }
        }
        assertThat(lastSequences).hasSize(MANY);
    }

    @Test
    void shouldForgetNothingThatHasYetToLeave() throws JMSException {
        CountingListener listener = new CountingListener();
        holding = true;
        for (int partition = 1; partition <= MANY; partition++) {
            DuramenTextMessage message = new DuramenTextMessage("m");
            outbox.sendAsync(
                    message,
                    headers(DestinationKind.TEMPORARY_TOPIC, partition),
                    new PartitionRef(partition, 0),
                    true,
                    new Completions.Send(message, listener));
        }
        assertThat(outbox.temporaryCount()).isEqualTo(MANY);
        holding = false;
        held.forEach(outgoing -> outgoing.write(new Quick()));
        assertThat(lastSequences).hasSize(MANY);
        for (int partition = MANY + 1; partition <= 3 * MANY; partition++) {
            send(DestinationKind.TEMPORARY_QUEUE, partition);
        }
        assertThat(outbox.temporaryCount()).isLessThanOrEqualTo(2 * DirectOutbox.TEMPORARY_KEPT);
        assertThat(listener.told).hasValueLessThanOrEqualTo(MANY);
    }

    @Test
    void shouldNumberWithoutGapsWhatGoesToNamedDestinations() throws JMSException {
        for (int i = 0; i < 10; i++) {
            for (int partition = 1; partition <= MANY; partition++) {
                send(DestinationKind.QUEUE, partition);
            }
        }
        assertThat(lastSequences).hasSize(MANY);
        assertThat(lastSequences.values()).containsOnly(9L);
        assertThat(outbox.temporaryCount()).isZero();
    }
}
