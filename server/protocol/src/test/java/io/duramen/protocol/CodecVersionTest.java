package io.duramen.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.protocol.frame.Since;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens between a peer that knows a component and one that does not. */
class CodecVersionTest {
    enum Colour {
        RED,
        GREEN
    }

    record Old(int id, List<OldItem> items) {}

    record OldItem(short code) {}

    record New(
            int id,
            List<NewItem> items,
            @Since(2) String reason,
            @Since(2) boolean urgent,
            @Since(3) Extra extra) {}

    record NewItem(short code, @Since(2) Colour colour) {}

    record Extra(byte level, ByteBuffer bytes, List<OldItem> items) {}

    record OnlyNew(
            @Since(2) long number,
            @Since(2) ByteBuffer bytes,
            @Since(2) List<OldItem> items) {}

    private static final New NEW = new New(
            7,
            List.of(new NewItem((short) 1, Colour.GREEN), new NewItem((short) 2, Colour.RED)),
            "because",
            true,
            new Extra((byte) 9, ByteBuffer.wrap(new byte[] {1, 2}), List.of(new OldItem((short) 3))));

    @Test
    void shouldReadBackEverythingWhenBothSpeakTheNewestVersion() {
        assertThat(Codec.read(New.class, 3, write(NEW, 3))).isEqualTo(NEW);
    }

    @Test
    void shouldReadZeroFalseNullAndTheFirstConstantWhenThePeerIsOlder() {
        New read = Codec.read(New.class, 1, write(NEW, 1));
        List<NewItem> items = List.of(new NewItem((short) 1, Colour.RED), new NewItem((short) 2, Colour.RED));
        assertThat(read).isEqualTo(new New(7, items, null, false, null));
        assertThat(Codec.read(OnlyNew.class, 1, ByteBuffer.allocate(0)))
                .isEqualTo(new OnlyNew(0, ByteBuffer.allocate(0), List.of()));
    }

    @Test
    void shouldLeaveOutOnlyTheNewestWhenThePeerIsOneVersionBehind() {
        assertThat(Codec.read(New.class, 2, write(NEW, 2)))
                .isEqualTo(new New(7, NEW.items(), NEW.reason(), true, null));
    }

    @Test
    void shouldBeTheSameBytesWhenWrittenForAnOlderPeerAndByOne() {
        Old old = new Old(7, List.of(new OldItem((short) 1), new OldItem((short) 2)));
        assertThat(write(NEW, 1)).isEqualTo(write(old, 1));
        assertThat(Codec.read(Old.class, 1, write(NEW, 1))).isEqualTo(old);
    }

    @Test
    void shouldPrintNameTypeAndVersion() {
        assertThat(Codec.describe(New.class))
                .containsExactly(
                        "id: int",
                        "items: list of NewItem",
                        "reason: string since 2",
                        "urgent: boolean since 2",
                        "extra: Extra since 3");
    }

    record Disordered(@Since(2) int newer, int older) {}

    record Itself(int id, List<Itself> children) {}

    record Nothing() {}

    record Nothings(List<Nothing> items) {}

    record Later(List<OnlyNew> items) {}

    record Floating(double value) {}

    record Strings(List<String> names) {}

    @Test
    void shouldRefuseARecordThatCannotBeASchema() {
        assertNoSchema(new Disordered(1, 2), "stands behind later ones");
        assertNoSchema(new Itself(1, List.of()), "contains itself");
        assertNoSchema(new Nothings(List.of()), "may take no byte at all");
        assertNoSchema(new Later(List.of()), "may take no byte at all");
        assertNoSchema(new Floating(1), "double is not a record");
        assertNoSchema(new Strings(List.of()), "String is not a record");
    }

    @Test
    void shouldNameTheComponentWhenItIsNull() {
        assertThatThrownBy(() -> Codec.sizeOf(new NewItem((short) 1, null), 2))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("colour is null");
        assertThatThrownBy(() -> Codec.sizeOf(new Old(1, null), 1))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("items is null");
        assertThat(Codec.sizeOf(new NewItem((short) 1, null), 1)).isEqualTo(2);
    }

    private static void assertNoSchema(Record record, String reason) {
        assertThatThrownBy(() -> Codec.sizeOf(record, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    private static ByteBuffer write(Record value, int version) {
        ByteBuffer out = ByteBuffer.allocate(Codec.sizeOf(value, version));
        Codec.write(value, version, out);
        assertThat(out.hasRemaining()).isFalse();
        return out.flip();
    }
}
