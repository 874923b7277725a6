package io.duramen.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class NodeRequestsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration SOON = Duration.ofMillis(50);
    private static final byte DOUBLE = 1;
    private static final byte REFUSE = 2;
    private static final byte WAIT = 3;

    private final CountDownLatch waits = new CountDownLatch(1);
    private final NodeRequests asked = new NodeRequests(this::toAsking, this::handle);
    private final NodeRequests asking = new NodeRequests(this::toAsked, (kind, content) -> new byte[0]);

    @AfterEach
    void close() {
        waits.countDown();
        asking.close();
        asked.close();
    }

    private boolean toAsked(String node, byte number, byte[] content) {
        if (!node.equals("there")) {
            return false;
        }
        asked.told("here", number, ByteBuffer.wrap(content));
        return true;
    }

    private boolean toAsking(String node, byte number, byte[] content) {
        asking.told("there", number, ByteBuffer.wrap(content));
        return node.equals("here");
    }

    private byte[] handle(byte kind, ByteBuffer content) {
        return switch (kind) {
            case DOUBLE -> new byte[] {(byte) (2 * content.get())};
            case REFUSE -> throw new ProtocolException(ErrorCode.NOT_LEADER, "not I");
            case WAIT -> {
                try {
                    waits.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                yield new byte[0];
            }
            default -> throw new IllegalStateException("unknown");
        };
    }

    @Test
    void shouldGiveEachItsAnswer() {
        CompletableFuture<ByteBuffer> one = asking.ask("there", DOUBLE, new byte[] {1}, PATIENCE);
        CompletableFuture<ByteBuffer> two = asking.ask("there", DOUBLE, new byte[] {2}, PATIENCE);

        assertThat(NodeRequests.await("there", two).get()).isEqualTo((byte) 4);
        assertThat(NodeRequests.await("there", one).get()).isEqualTo((byte) 2);
    }

    @Test
    void shouldRefuseAsTheOtherDoes() {
        requireRefused(REFUSE, PATIENCE, ErrorCode.NOT_LEADER, "not I");
        requireRefused((byte) 99, PATIENCE, ErrorCode.INTERNAL, "unknown");
        requireRefused(DOUBLE, PATIENCE, ErrorCode.INTERNAL, "null");
    }

    @Test
    void shouldSayThatNothingIsKnownWhereNobodyAnswersInTime() {
        requireRefused(WAIT, SOON, ErrorCode.NO_MAJORITY, "has not answered in time");
    }

    @Test
    void shouldRefuseAtOnceWhereTheNodeIsNotConnected() {
        assertThatThrownBy(() -> NodeRequests.await("gone", asking.ask("gone", DOUBLE, new byte[1], PATIENCE)))
                .hasMessageContaining("node gone is not connected");
    }

    @Test
    void shouldRefuseWhoWaitsWhenItEnds() {
        CompletableFuture<ByteBuffer> waiting = asking.ask("there", WAIT, new byte[0], PATIENCE);

        asking.close();

        assertThatThrownBy(() -> NodeRequests.await("there", waiting)).hasMessageContaining("this node ends");
    }

    @Test
    void shouldHearNothingInWhatIsNoRequestAndNoAnswer() {
        for (int length = 0; length < 12; length++) {
            for (byte number = NodeRequests.FIRST; number < NodeRequests.FIRST + 4; number++) {
                asking.told("there", number, ByteBuffer.allocate(length));
            }
        }

        assertThat(NodeRequests.await("there", asking.ask("there", DOUBLE, new byte[] {3}, PATIENCE))
                        .get())
                .isEqualTo((byte) 6);
    }

    private void requireRefused(byte kind, Duration patience, ErrorCode code, String why) {
        assertThatThrownBy(() -> NodeRequests.await("there", asking.ask("there", kind, new byte[0], patience)))
                .isInstanceOfSatisfying(
                        ProtocolException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(why);
    }
}
