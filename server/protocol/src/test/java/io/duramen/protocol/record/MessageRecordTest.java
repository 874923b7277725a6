package io.duramen.protocol.record;

import static io.duramen.protocol.Records.aRecord;
import static io.duramen.protocol.Records.deliveriesOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.protocol.MalformedFrameException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** {@link MessageRecord#check} and the walk over a {@link Deliveries} region. */
class MessageRecordTest {
    @Test
    void shouldTellTheLengthOfARecordThatStandsInsideABuffer() {
        ByteBuffer record = aRecord(3, 5, 10);
        ByteBuffer larger = ByteBuffer.allocate(200).position(50).put(record.duplicate());
        assertThat(MessageRecord.check(larger.rewind(), 50)).isEqualTo(record.limit());
        assertThat(MessageRecord.check(larger.limit(50 + record.limit()), 50)).isEqualTo(record.limit());
        assertRefused(larger.limit(50 + record.limit() - 1), 50);
    }

    @Test
    void shouldRefuseRegionsThatDoNotFillTheRecord() {
        int[] lies = {-1, 11, 9, Integer.MAX_VALUE, Integer.MIN_VALUE};
        for (int at = MessageRecord.HEADERS_LENGTH_AT; at <= MessageRecord.BODY_LENGTH_AT; at += 4) {
            for (int lie : lies) {
                assertRefused(aRecord(10, 10, 10).putInt(at, lie), 0);
            }
        }
        // Three lengths whose sum wraps round to the right one as an int.
        ByteBuffer wrapping = aRecord(0, 0, 0);
        wrapping.putInt(MessageRecord.HEADERS_LENGTH_AT, 1 << 30).putInt(MessageRecord.PROPERTIES_LENGTH_AT, 1 << 30);
        assertRefused(wrapping.putInt(MessageRecord.BODY_LENGTH_AT, Integer.MIN_VALUE), 0);
    }

    @Test
    void shouldRefuseAnUnknownVersionAndPriority() {
        assertRefused(aRecord(0, 0, 0).put(MessageRecord.VERSION_AT, (byte) 2), 0);
        assertRefused(aRecord(0, 0, 0).put(MessageRecord.PRIORITY_AT, (byte) 10), 0);
        assertRefused(aRecord(0, 0, 0).put(MessageRecord.PRIORITY_AT, (byte) -1), 0);
    }

    @Property(tries = 3000)
    void shouldAcceptOrRefuseAnyBytes(@ForAll byte[] bytes, @ForAll @IntRange(max = 80) int at) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            assertThat(MessageRecord.check(in, at)).isBetween(MessageRecord.HEADER_LENGTH, in.limit() - at);
        } catch (MalformedFrameException e) {
            assertThat(in.position()).isZero();
        }
    }

    @Test
    void shouldVisitEveryDeliveryInOrder() {
        ByteBuffer region = deliveriesOf(aRecord(0, 0, 1), aRecord(1, 0, 0), aRecord(0, 0, 0));
        List<String> visited = new ArrayList<>();
        Deliveries.forEach(
                region, 3, (offset, count, record) -> visited.add(offset + " " + count + " " + record.remaining()));
        assertThat(visited).containsExactly("0 1 65", "1 2 65", "2 3 64");
        assertThat(region.position()).isZero();
    }

    @Test
    void shouldRefuseACountThatIsNotThatOfTheDeliveries() {
        ByteBuffer region = deliveriesOf(aRecord(0, 0, 1), aRecord(1, 0, 0));
        for (int count : new int[] {1, 3, 0, -1, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> Deliveries.forEach(region, count, (offset, times, record) -> {}))
                    .isInstanceOf(MalformedFrameException.class);
        }
    }

    @Property(tries = 3000)
    void shouldVisitOrRefuseMutatedDeliveries(@ForAll int at, @ForAll int value, @ForAll @IntRange(max = 4) int count) {
        ByteBuffer region = deliveriesOf(aRecord(0, 0, 1), aRecord(1, 0, 0));
        region.putInt(Math.floorMod(at, region.limit() - 3), value);
        int[] bytes = new int[1];
        try {
            Deliveries.forEach(region, count, (offset, times, record) -> bytes[0] += record.remaining());
        } catch (MalformedFrameException e) {
            assertThat(bytes[0]).isLessThanOrEqualTo(region.limit());
        }
    }

    private static void assertRefused(ByteBuffer in, int at) {
        assertThatThrownBy(() -> MessageRecord.check(in, at)).isInstanceOf(MalformedFrameException.class);
    }
}
