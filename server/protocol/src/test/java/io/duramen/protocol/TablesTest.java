package io.duramen.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.protocol.frame.ForShard;
import io.duramen.protocol.record.BodyType;
import io.duramen.protocol.record.PropertyType;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Numbers that travel: unique, found again, and refused where unknown. */
class TablesTest {
    private static final Set<Api> FROM_THE_SERVER = EnumSet.of(Api.DELIVER, Api.DRAINED, Api.RECALL, Api.END_CONSUMER);

    @Test
    void shouldFindEveryErrorByItsNumber() {
        assertThat(Arrays.stream(ErrorCode.values()).map(ErrorCode::number)).doesNotHaveDuplicates();
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(ErrorCode.of(code.number())).isEqualTo(code);
            assertThat(code.number()).isBetween(1, 65_535);
            assertThat(code.meaning()).endsWith(".");
        }
    }

    @Test
    void shouldTakeAnErrorThatANewerServerSentForAnInternalOne() {
        assertThat(ErrorCode.of(9_999)).isEqualTo(ErrorCode.INTERNAL);
    }

    @Test
    void shouldFindEveryFrameByItsNumber() {
        assertThat(Arrays.stream(Api.values()).map(Api::number)).doesNotHaveDuplicates();
        assertThatThrownBy(() -> Api.of(0)).isInstanceOf(MalformedFrameException.class);
        assertThatThrownBy(() -> Api.of(65_535)).isInstanceOf(MalformedFrameException.class);
    }

    @Test
    void shouldLeadWhatNamesAShardToThat() {
        for (Api api : Api.values()) {
            for (Frame.Kind kind : new Frame.Kind[] {Frame.Kind.REQUEST, Frame.Kind.PUSH}) {
                Class<? extends Record> type = typeOf(api, kind);
                boolean namesAShard = type != null
                        && Arrays.stream(type.getRecordComponents())
                                .anyMatch(component -> component.getName().equals("shard"));
                if (namesAShard && !FROM_THE_SERVER.contains(api)) {
                    assertThat(ForShard.class).as(api.name()).isAssignableFrom(type);
                }
            }
        }
    }

    /** Null where it does not occur so. */
    private static Class<? extends Record> typeOf(Api api, Frame.Kind kind) {
        try {
            return api.type(kind);
        } catch (MalformedFrameException e) {
            return null;
        }
    }

    @Test
    void shouldFindBodyAndPropertyTypesByTheirNumber() {
        for (BodyType type : BodyType.values()) {
            assertThat(BodyType.of(type.ordinal())).isEqualTo(type);
        }
        for (PropertyType type : PropertyType.values()) {
            assertThat(PropertyType.of(type.number())).isEqualTo(type);
        }
        for (int number : new int[] {-1, 100, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> BodyType.of(number)).isInstanceOf(MalformedFrameException.class);
            assertThatThrownBy(() -> PropertyType.of(number)).isInstanceOf(MalformedFrameException.class);
        }
    }

    @Test
    void shouldNotPrintAPassword() {
        var login = new io.duramen.protocol.frame.Authenticate.Request("PLAIN", "ada", "s3cret");
        assertThat(Frame.request(1, login).toString()).contains("ada").doesNotContain("s3cret");
    }
}
