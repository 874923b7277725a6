package io.duramen.protocol.record;

import static io.duramen.protocol.Records.aRecord;
import static io.duramen.protocol.Records.batchOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class RecordBatchTest {
    @Test
    void shouldAcceptWhatWasSealedAnywhereInABuffer() {
        ByteBuffer batch = aBatch();
        ByteBuffer larger = ByteBuffer.allocate(batch.limit() + 30).position(20).put(batch.duplicate());
        ByteBuffer inside = larger.flip().position(20);
        assertThatCode(() -> RecordBatch.check(inside)).doesNotThrowAnyException();
        assertThat(inside.position()).isEqualTo(20);
        assertThat(RecordBatch.count(inside)).isEqualTo(2);
        assertThat(RecordBatch.baseSequence(inside)).isEqualTo(41);
    }

    @Test
    void shouldRefuseEveryFlippedBit() {
        byte[] whole = aBatch().array();
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertRefused(ByteBuffer.wrap(flipped));
        }
    }

    @Test
    void shouldRefuseABatchThatIsCutOrLonger() {
        byte[] whole = aBatch().array();
        for (int length = 0; length <= whole.length + 1; length++) {
            if (length != whole.length) {
                assertRefused(ByteBuffer.wrap(Arrays.copyOf(whole, length)));
            }
        }
    }

    @Test
    void shouldRefuseACountThatIsNotThatOfTheRecords() {
        for (int count : new int[] {0, 1, 3, -1, Integer.MAX_VALUE}) {
            ByteBuffer batch = batchOf(aRecord(0, 0, 5), aRecord(0, 0, 5));
            RecordBatch.seal(batch, false, 1, 0, 0, count);
            assertRefused(batch);
        }
    }

    @Test
    void shouldSayTheTraitsOfItsRecords() {
        assertThat(traitsWith(record -> {})).isZero();
        assertThat(traitsWith(record -> record.put(MessageRecord.PRIORITY_AT, (byte) 9)))
                .isEqualTo(RecordBatch.ATTRIBUTE_PRIORITY);
        assertThat(traitsWith(record -> record.putLong(MessageRecord.DELIVERY_TIME_AT, 1)))
                .isEqualTo(RecordBatch.ATTRIBUTE_DELIVERY_TIME);
        assertThat(traitsWith(record -> record.putLong(MessageRecord.EXPIRATION_AT, 1)))
                .isEqualTo(RecordBatch.ATTRIBUTE_EXPIRATION);
        assertThat(traitsWith(record -> record.putInt(MessageRecord.GROUP_HASH_AT, 1)))
                .isEqualTo(RecordBatch.ATTRIBUTE_GROUP);
    }

    private static ByteBuffer plain(ByteBuffer record) {
        return record.putInt(MessageRecord.GROUP_HASH_AT, 0);
    }

    private static int traitsWith(Consumer<ByteBuffer> trait) {
        ByteBuffer record = plain(aRecord(3, 5, 10));
        trait.accept(record);
        ByteBuffer batch = batchOf(plain(aRecord(0, 0, 0)), record);
        RecordBatch.seal(batch, false, 0, 0, -1, 2);
        RecordBatch.check(batch);
        return RecordBatch.traits(batch);
    }

    /** Goal: nobody can smuggle a message past what orders it. Method: a byte of a sealed record, checksum made right. */
    @Test
    void shouldRefuseTraitsThatAreNotThoseOfItsRecords() {
        ByteBuffer batch = aBatch();
        batch.put(RecordBatch.HEADER_LENGTH + MessageRecord.PRIORITY_AT, (byte) 9);
        CRC32C crc = new CRC32C();
        crc.update(batch.duplicate().position(8));
        assertRefused(batch.putInt(4, (int) crc.getValue()));
    }

    @Test
    void shouldRefuseSequencesThatWouldOverflow() {
        for (long sequence : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 1}) {
            ByteBuffer batch = batchOf(aRecord(0, 0, 5), aRecord(0, 0, 5));
            RecordBatch.seal(batch, false, 1, 0, sequence, 2);
            assertRefused(batch);
        }
        ByteBuffer withoutSequences = batchOf(aRecord(0, 0, 5));
        RecordBatch.seal(withoutSequences, false, 0, 0, -1, 1);
        RecordBatch.check(withoutSequences);
    }

    @Property(tries = 2000)
    void shouldAcceptOrRefuseAnyBytes(@ForAll byte[] bytes) {
        checkOrRefuse(ByteBuffer.wrap(bytes));
    }

    /** Goal: the walk over the records is safe by itself. Method: the checksum is made right again. */
    @Property(tries = 3000)
    void shouldAcceptOrRefuseABatchWithARightChecksum(@ForAll int at, @ForAll int value, @ForAll byte narrow) {
        ByteBuffer batch = aBatch();
        batch.putInt(4 + Math.floorMod(at, batch.limit() - 8), narrow > 0 ? narrow : value);
        CRC32C crc = new CRC32C();
        crc.update(batch.duplicate().position(8));
        checkOrRefuse(batch.putInt(4, (int) crc.getValue()));
    }

    private static ByteBuffer aBatch() {
        ByteBuffer batch = batchOf(aRecord(3, 5, 10), aRecord(0, 0, 0));
        RecordBatch.seal(batch, true, 7, 0, 41, 2);
        return batch;
    }

    private static void checkOrRefuse(ByteBuffer batch) {
        try {
            RecordBatch.check(batch);
        } catch (ProtocolException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_BATCH);
        }
    }

    private static void assertRefused(ByteBuffer batch) {
        assertThatThrownBy(() -> RecordBatch.check(batch))
                .isInstanceOfSatisfying(
                        ProtocolException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_BATCH));
    }
}
