package io.duramen.node.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.broker.shard.OperatorRequest;
import io.duramen.broker.shard.OperatorRequest.CountDestinations;
import io.duramen.broker.shard.OperatorRequest.PauseDestination;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OperatorWordsTest {
    static Stream<Class<?>> requests() {
        return Arrays.stream(OperatorRequest.class.getPermittedSubclasses());
    }

    @ParameterizedTest
    @MethodSource("requests")
    void shouldReadWhatWasWritten(Class<?> type) throws Exception {
        OperatorRequest<?> request = (OperatorRequest<?>) sample(type);
        Object answer = sample(argument(type.getGenericInterfaces()[0]));

        assertThat(OperatorWords.request(OperatorWords.request(request))).isEqualTo(request);
        assertThat((Object) OperatorWords.answerOf(request, OperatorWords.answer(request, answer)))
                .isEqualTo(answer);
    }

    @Test
    void shouldRefuseWhatIsNoRequest() {
        ByteBuffer written = OperatorWords.request(new PauseDestination("a", true));
        ByteBuffer longer = ByteBuffer.allocate(written.remaining() + 1)
                .put(written.duplicate())
                .rewind();
        ByteBuffer unknown = written.duplicate();

        for (int length = 0; length < written.remaining(); length++) {
            ByteBuffer shorter = written.slice(0, length);
            assertThatThrownBy(() -> OperatorWords.request(shorter)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> OperatorWords.request(longer)).hasMessageContaining("1 bytes behind");
        unknown.put(Integer.BYTES, (byte) 'p');
        assertThatThrownBy(() -> OperatorWords.request(unknown))
                .hasMessage("OperatorRequest has no 'pauseDestination'");
    }

    @Test
    void shouldRefuseAListThatIsLongerThanItsBytes() {
        ByteBuffer written = OperatorWords.request(new CountDestinations(List.of("a")));
        written.putInt(Integer.BYTES + "CountDestinations".length(), Integer.MAX_VALUE);

        assertThatThrownBy(() -> OperatorWords.request(written)).isInstanceOf(IllegalArgumentException.class);
    }

    // ---- one value of each type, none of its parts what it would be where it is left out

    private static Type argument(Type type) {
        return ((ParameterizedType) type).getActualTypeArguments()[0];
    }

    private static Object sample(Type type) throws ReflectiveOperationException {
        Class<?> raw = (Class<?>) (type instanceof ParameterizedType of ? of.getRawType() : type);
        if (raw == List.class) {
            return List.of(sample(argument(type)), sample(argument(type)));
        } else if (raw == Optional.class) {
            return Optional.of(sample(argument(type)));
        } else if (raw.isSealed()) {
            return sample(raw.getPermittedSubclasses()[1]);
        } else if (raw.isRecord()) {
            return sampleRecord(raw);
        } else if (raw.isEnum()) {
            return raw.getEnumConstants()[1];
        } else if (raw == String.class) {
            return "täxt";
        } else if (raw == ByteBuffer.class) {
            return ByteBuffer.wrap(new byte[] {1, 2, 3});
        } else if (raw == boolean.class || raw == Boolean.class) {
            return true;
        }
        return raw == int.class || raw == Integer.class ? (Object) 7 : (Object) (1L << 40);
    }

    private static Object sampleRecord(Class<?> type) throws ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            values[i] = sample(components[i].getGenericType());
        }
        return type.getDeclaredConstructor(
                        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new))
                .newInstance(values);
    }
}
