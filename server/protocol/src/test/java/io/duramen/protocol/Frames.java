package io.duramen.protocol;

import io.duramen.protocol.Frame.Kind;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.OffsetRange;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Every frame there is, and values for it derived from the components of its record. */
final class Frames {
    /** A frame in one of its roles. */
    record Role(Api api, Kind kind) {
        Class<? extends Record> type() {
            return api.type(kind);
        }

        Frame of(long correlation, Record payload) {
            return new Frame(api, kind, correlation, payload);
        }
    }

    private Frames() {}

    static List<Role> roles() {
        List<Role> roles = new ArrayList<>();
        for (Api api : Api.values()) {
            for (Kind kind : Kind.values()) {
                if (occurs(api, kind)) {
                    roles.add(new Role(api, kind));
                }
            }
        }
        return roles;
    }

    private static boolean occurs(Api api, Kind kind) {
        try {
            api.type(kind);
            return true;
        } catch (MalformedFrameException e) {
            return false;
        }
    }

    static Arbitrary<Frame> arbitrary() {
        return Arbitraries.of(roles())
                .flatMap(role -> Combinators.combine(Arbitraries.longs(), arbitrary(role.type()))
                        .as(role::of));
    }

    static Arbitrary<Record> arbitrary(Class<?> type) {
        if (type == OffsetRange.class) {
            Arbitrary<Long> offsets = Arbitraries.longs().greaterOrEqual(0);
            return Combinators.combine(offsets, offsets).as((a, b) -> new OffsetRange(Math.min(a, b), Math.max(a, b)));
        }
        if (type == BranchId.class) {
            var bytes = Arbitraries.bytes().array(byte[].class);
            return Combinators.combine(
                            Arbitraries.integers().filter(format -> format != -1),
                            bytes.ofMinSize(1).ofMaxSize(BranchId.PART_LENGTH_MAX),
                            bytes.ofMaxSize(BranchId.PART_LENGTH_MAX))
                    .as((format, global, qualifier) ->
                            new BranchId(format, ByteBuffer.wrap(global), ByteBuffer.wrap(qualifier)));
        }
        List<Arbitrary<Object>> components = Arrays.stream(type.getRecordComponents())
                .map(component -> component(component.getGenericType()))
                .toList();
        return Combinators.combine(components).as(values -> make(type, values.toArray()));
    }

    private static Arbitrary<Object> component(Type type) {
        if (type instanceof ParameterizedType list) {
            Class<?> element = (Class<?>) list.getActualTypeArguments()[0];
            return arbitrary(element).list().ofMaxSize(4).asGeneric();
        }
        Class<?> c = (Class<?>) type;
        if (c.isEnum()) {
            return Arbitraries.of(c.getEnumConstants()).asGeneric();
        }
        if (c.isRecord()) {
            return arbitrary(c).asGeneric();
        }
        if (c == String.class) {
            return Arbitraries.strings()
                    .all()
                    .excludeChars(surrogates())
                    .ofMaxLength(30)
                    .injectNull(0.1)
                    .asGeneric();
        }
        if (c == ByteBuffer.class) {
            return Arbitraries.bytes()
                    .array(byte[].class)
                    .ofMaxSize(60)
                    .map(ByteBuffer::wrap)
                    .asGeneric();
        }
        return Arbitraries.defaultFor(c).asGeneric();
    }

    /** Half a surrogate pair has no UTF-8 form. */
    private static char[] surrogates() {
        char[] surrogates = new char[Character.MAX_SURROGATE - Character.MIN_SURROGATE + 1];
        for (int i = 0; i < surrogates.length; i++) {
            surrogates[i] = (char) (Character.MIN_SURROGATE + i);
        }
        return surrogates;
    }

    /** The same value for the same record declaration, for ever: what later versions add stands behind. */
    static Record sample(Class<?> type) {
        if (type == OffsetRange.class) {
            return new OffsetRange(5, 0x0102030405060708L);
        }
        return make(
                type,
                Arrays.stream(type.getRecordComponents()).map(Frames::sample).toArray());
    }

    private static Object sample(RecordComponent component) {
        if (component.getGenericType() instanceof ParameterizedType list) {
            Record element = sample((Class<?>) list.getActualTypeArguments()[0]);
            return List.of(element, element);
        }
        Class<?> c = component.getType();
        if (c.isEnum()) {
            return c.getEnumConstants()[1];
        }
        if (c == boolean.class) {
            return true;
        }
        if (c == int.class) {
            return 0x80000001 + component.getName().length();
        }
        if (c == long.class) {
            return 0xF1F2F3F4F5F6F7F8L + component.getName().length();
        }
        if (c == String.class) {
            return component.getName() + " äß木\uD83C\uDF33";
        }
        if (c == ByteBuffer.class) {
            return ByteBuffer.wrap(new byte[] {1, 0, -1});
        }
        return sample(c);
    }

    private static Record make(Class<?> type, Object... components) {
        Class<?>[] types = Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return (Record) constructor.newInstance(components);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(type + " cannot be made of " + Arrays.toString(components), e);
        }
    }

    /** The frame as it stands on the wire, its length field included. */
    static ByteBuffer bytes(Frame frame) {
        return bytes(frame, Protocol.VERSION);
    }

    static ByteBuffer bytes(Frame frame, int version) {
        int size = frame.size(version);
        ByteBuffer out = ByteBuffer.allocate(size);
        frame.write(version, size, out);
        return out.flip();
    }
}
