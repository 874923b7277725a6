package io.duramen.node.relay;

import io.duramen.broker.shard.OperatorRequest;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What operators ask shards of other nodes, and are answered, as bytes: the form follows from how the records are declared. Stateless. Operators
 * are few, so nothing is kept of what reflection tells. Nodes of two versions in which a record differs do not understand each other here, and say so.
 *
 * <pre>
 *   numbers   as they are, big-endian         String, ByteBuffer   i32 length, bytes       enum   its ordinal, 1 byte
 *   List      i32 count, elements             Optional             boolean, value          record its components
 *   one of several records   its name, itself
 * </pre>
 */
final class OperatorWords {
    private OperatorWords() {}

    /** A buffer of its own. */
    static ByteBuffer request(OperatorRequest<?> request) {
        return write(OperatorRequest.class, request);
    }

    /** @throws IllegalArgumentException where it is none that this one knows */
    static OperatorRequest<?> request(ByteBuffer bytes) {
        return (OperatorRequest<?>) read(OperatorRequest.class, bytes);
    }

    /** As {@link #request}, for what a request is answered. */
    static ByteBuffer answer(OperatorRequest<?> request, Object answer) {
        return write(answerType(request.getClass()), answer);
    }

    /** @throws IllegalArgumentException where it is no answer to such a request */
    @SuppressWarnings("unchecked")
    static <A> A answerOf(OperatorRequest<A> request, ByteBuffer bytes) {
        return (A) read(answerType(request.getClass()), bytes);
    }

    private static Type answerType(Class<?> request) {
        return argument(request.getGenericInterfaces()[0]);
    }

    private static Type argument(Type type) {
        return ((ParameterizedType) type).getActualTypeArguments()[0];
    }

    private static Class<?> raw(Type type) {
        return (Class<?>) (type instanceof ParameterizedType of ? of.getRawType() : type);
    }

    // ---- writing ---------------------------------------------------------------------------------------------------

    private static ByteBuffer write(Type type, Object value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            write(type, value, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // Memory does not fail.
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    private static void write(Type type, Object value, DataOutputStream out) throws IOException {
        if (value instanceof List<?> list) {
            out.writeInt(list.size());
            for (Object element : list) {
                write(argument(type), element, out);
            }
        } else if (value instanceof Optional<?> optional) {
            out.writeBoolean(optional.isPresent());
            if (optional.isPresent()) {
                write(argument(type), optional.get(), out);
            }
        } else if (value instanceof Record whole) {
            if (raw(type).isSealed()) {
                writeBytes(ByteBuffer.wrap(whole.getClass().getSimpleName().getBytes(StandardCharsets.UTF_8)), out);
            }
            for (RecordComponent component : whole.getClass().getRecordComponents()) {
                write(component.getGenericType(), valueOf(component, whole), out);
            }
        } else {
            writePlain(value, out);
        }
    }

    private static void writePlain(Object value, DataOutputStream out) throws IOException {
        if (value instanceof Boolean yes) {
            out.writeBoolean(yes);
        } else if (value instanceof Integer number) {
            out.writeInt(number);
        } else if (value instanceof Long number) {
            out.writeLong(number);
        } else if (value instanceof Enum<?> constant) {
            out.writeByte(constant.ordinal());
        } else if (value instanceof String text) {
            writeBytes(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), out);
        } else if (value instanceof ByteBuffer bytes) {
            writeBytes(bytes.duplicate(), out);
        } else {
            throw new IllegalArgumentException("no form for " + value);
        }
    }

    private static void writeBytes(ByteBuffer from, DataOutputStream out) throws IOException {
        byte[] bytes = new byte[from.remaining()];
        from.get(bytes);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static Object valueOf(RecordComponent component, Record of) {
        try {
            return component.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(component + " cannot be read by reflection", e);
        }
    }

    // ---- reading ---------------------------------------------------------------------------------------------------

    private static Object read(Type type, ByteBuffer bytes) {
        ByteBuffer in = bytes.duplicate();
        try {
            Object value = readOne(type, in);
            if (in.hasRemaining()) {
                throw new IllegalArgumentException(in.remaining() + " bytes behind a " + type);
            }
            return value;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException(type + " ends too early", e);
        }
    }

    private static Object readOne(Type type, ByteBuffer in) {
        Class<?> raw = raw(type);
        if (raw == List.class) {
            int count = in.getInt();
            List<Object> elements = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                elements.add(readOne(argument(type), in));
            }
            return List.copyOf(elements);
        } else if (raw == Optional.class) {
            return in.get() == 0 ? Optional.empty() : Optional.of(readOne(argument(type), in));
        } else if (raw.isSealed()) {
            return readRecord(permitted(raw, readText(in)), in);
        } else if (raw.isRecord()) {
            return readRecord(raw, in);
        }
        return readPlain(raw, in);
    }

    private static Object readPlain(Class<?> type, ByteBuffer in) {
        if (type == boolean.class || type == Boolean.class) {
            return in.get() != 0;
        } else if (type == int.class || type == Integer.class) {
            return in.getInt();
        } else if (type == long.class || type == Long.class) {
            return in.getLong();
        } else if (type.isEnum()) {
            int ordinal = in.get();
            if (ordinal < 0 || ordinal >= type.getEnumConstants().length) {
                throw new IllegalArgumentException(type + " has nothing under " + ordinal);
            }
            return type.getEnumConstants()[ordinal];
        } else if (type == String.class) {
            return readText(in);
        } else if (type == ByteBuffer.class) {
            return ByteBuffer.wrap(readBytes(in));
        }
        throw new IllegalArgumentException("no form for " + type);
    }

    private static String readText(ByteBuffer in) {
        return new String(readBytes(in), StandardCharsets.UTF_8);
    }

    private static byte[] readBytes(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new IllegalArgumentException(length + " bytes, with " + in.remaining() + " left");
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    private static Class<?> permitted(Class<?> sealed, String name) {
        return Arrays.stream(sealed.getPermittedSubclasses())
                .filter(one -> one.getSimpleName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(sealed.getSimpleName() + " has no '" + name + "'"));
    }

    private static Object readRecord(Class<?> type, ByteBuffer in) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            values[i] = readOne(components[i].getGenericType(), in);
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("no such " + type.getSimpleName(), e);
        }
    }
}
