package io.duramen.jms.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.duramen.jms.peer.ScriptedNode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.Drained;
import io.duramen.protocol.frame.EndConsumer;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.Recall;
import io.netty.channel.epoll.Epoll;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class SendAwaitedTest {
    private static final int BATCH_LENGTH = 60_000;
    private static final int LONG_LENGTH = 256 * 1024; // not copied
    private static final int COUNT = 200; // together more than the buffers of both sockets

    private ScriptedNode node;
    private Link link;

    @BeforeEach
    void connect() throws Exception {
        node = ScriptedNode.startOnTcp().politely(Publish.Request.class, r -> new Publish.Response(0));
        URI uri = URI.create(node.url());
        LinkOptions options = new LinkOptions(
                List.of(new NodeAddress.Tcp(uri.getHost(), uri.getPort())),
                new LinkOptions.Credentials("", ""),
                new LinkOptions.Timeouts(10_000, 0, 0),
                new LinkOptions.Reconnect(false, 1, 1, 1, 1));
        link = ReconnectingLink.open(options, new Deaf(), ReconnectingLink.madeUpName(1), 1);
    }

    @AfterEach
    void close() {
        link.close();
        node.close();
    }

    private static ByteBuffer filled(int number) {
        return filled(number, ByteBuffer.allocate(BATCH_LENGTH));
    }

    private static ByteBuffer filled(int number, ByteBuffer batch) {
        while (batch.remaining() >= Integer.BYTES) {
            batch.putInt(number);
        }
        return batch.flip();
    }

    private record Sent(int number, ByteBuffer batch, CountDownLatch answers, AtomicInteger lent)
            implements Outgoing, Reply {
        Sent(int number, CountDownLatch answers) {
            this(number, filled(number), answers);
        }

        Sent(int number, ByteBuffer batch, CountDownLatch answers) {
            this(number, batch, answers, new AtomicInteger());
        }

        @Override
        public void sending() {
            lent.incrementAndGet();
        }

        @Override
        public void sent() {
            lent.decrementAndGet();
        }

        @Override
        public void write(FrameSink sink) {
            sink.request(new Publish.Request(0, 0, Publish.Acks.ALL, batch), this);
        }

        @Override
        public void answered(Record response) {
            answers.countDown();
        }

        @Override
        public void failed(RuntimeException cause) {
            // The latch stays.
        }

        @Override
        public void abandoned(LinkLostException cause) {
            // The latch stays.
        }
    }

    /** Short ones are copied behind each other; of long ones outside the heap the transport reads the bytes where they are. */
    @ParameterizedTest
    @ValueSource(ints = {0, LONG_LENGTH})
    void shouldLeaveToTheEventLoopWhatTheSocketDoesNotTake(int direct) throws Exception {
        CountDownLatch answers = new CountDownLatch(COUNT);
        List<Sent> all = IntStream.range(0, COUNT)
                .mapToObj(i -> direct == 0
                        ? new Sent(i, answers)
                        : new Sent(i, filled(i, ByteBuffer.allocateDirect(direct)), answers))
                .toList();
        node.reading(false);
        all.forEach(link::sendAwaited);
        assertThat(answers.getCount()).isEqualTo(COUNT);
        node.reading(true);
        assertThat(answers.await(30, TimeUnit.SECONDS)).isTrue();
        List<Publish.Request> received = node.handled(Publish.Request.class);
        assertThat(received).hasSize(COUNT);
        for (int i = 0; i < COUNT; i++) {
            assertThat(received.get(i).batch())
                    .as("request " + i)
                    .isEqualTo(all.get(i).batch());
        }
        assertThat(all)
                .as("bytes that the transport still has")
                .allMatch(sent -> sent.lent().get() == 0);
    }

    /** Beside what has woken the event loop just before: nobody else would flush what is left to it. */
    @Test
    void shouldFlushLongFramesThatAreLeftToTheEventLoop() throws Exception {
        assumeTrue(Epoll.isAvailable());
        AtomicInteger byCaller = new AtomicInteger();
        Thread caller = Thread.currentThread();
        for (int i = 0; byCaller.get() < 300; i++) {
            CountDownLatch answers = new CountDownLatch(2);
            Sent longOne = new Sent(i, filled(i, ByteBuffer.allocateDirect(LONG_LENGTH)), answers);
            link.send(new Sent(i, answers));
            link.sendAwaited(new Outgoing() {
                @Override
                public void write(FrameSink sink) {
                    byCaller.addAndGet(Thread.currentThread() == caller ? 1 : 0);
                    longOne.write(sink);
                }

                @Override
                public void abandoned(LinkLostException cause) {
                    longOne.abandoned(cause);
                }
            });
            assertThat(answers.await(10, TimeUnit.SECONDS)).as("request " + i).isTrue();
            for (int pause = 0; pause < 100; pause++) {
                Thread.yield(); // so that the event loop comes to rest
            }
        }
    }

    /** The event loop may still be busy with what made the link, hence more than one try. */
    @Test
    void shouldBeWrittenByTheThreadThatWaitsWhereTheLinkIsQuiet() throws Exception {
        assumeTrue(Epoll.isAvailable());
        Thread caller = Thread.currentThread();
        AtomicReference<Thread> writer = new AtomicReference<>();
        while (writer.get() != caller) {
            CountDownLatch answer = new CountDownLatch(1);
            Sent sent = new Sent(1, answer);
            link.sendAwaited(new Outgoing() {
                @Override
                public void write(FrameSink sink) {
                    writer.set(Thread.currentThread());
                    sent.write(sink);
                }

                @Override
                public void abandoned(LinkLostException cause) {
                    sent.abandoned(cause);
                }
            });
            assertThat(answer.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static final class Deaf implements LinkListener {
        @Override
        public void onDeliver(Deliver.Push deliver) {
            throw new AssertionError(deliver);
        }

        @Override
        public void onDrained(Drained.Push drained) {
            throw new AssertionError(drained);
        }

        @Override
        public void onEndConsumer(EndConsumer.Push end) {}

        @Override
        public void onRecall(Recall.Push recall) {
            throw new AssertionError(recall);
        }

        @Override
        public void onRefusal(int owner, ProtocolException refusal) {
            throw new AssertionError(refusal);
        }

        @Override
        public void onLost(LinkLostException cause) {
            // The latches tell.
        }

        @Override
        public void onResume(FrameSink sink) {
            throw new AssertionError("it is not to come back");
        }

        @Override
        public void onGivenUp(LinkLostException cause) {
            // The latches tell.
        }
    }
}
