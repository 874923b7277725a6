package io.duramen.protocol;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes and reads records: a frame's wire form is its record declaration. Big-endian throughout; thread-safe.
 *
 * <pre>
 *   boolean, byte   1 byte           short, int, long   2, 4, 8 bytes
 *   enum            1 byte, its ordinal: constants are only ever added at the end
 *   String          i32 length in bytes (-1: null), UTF-8
 *   ByteBuffer      i32 length, bytes; read back as a slice of the input, not a copy
 *   List of records i32 count, each element's components
 *   record          its components in order, those of a later {@link Since} version left out
 * </pre>
 *
 * Every length and count is checked against the bytes that remain before anything is allocated. Trailing bytes are
 * ignored by {@link #read}, so that a newer peer may send components this side does not know.
 */
public final class Codec {
    private static final int ELEMENTS_ALLOCATED_AT_ONCE = 1024;

    private static final ClassValue<Schema> SCHEMAS = new ClassValue<>() {
        @Override
        protected Schema computeValue(Class<?> type) {
            return Schema.of(type);
        }
    };

    private Codec() {}

    /** Bytes that {@link #write} will put for the record, at that protocol version. */
    public static int sizeOf(Record value, int version) {
        Schema schema = SCHEMAS.get(value.getClass());
        int size = 0;
        for (Field field : schema.fields) {
            if (field.since <= version) {
                size = Math.addExact(size, field.form.size(field.get(value), version));
            }
        }
        return size;
    }

    /**
     * Writes the record at the buffer's position. Buffers inside the record keep their position.
     *
     * @throws java.nio.BufferOverflowException where fewer than {@link #sizeOf} bytes remain
     */
    public static void write(Record value, int version, ByteBuffer out) {
        Schema schema = SCHEMAS.get(value.getClass());
        for (Field field : schema.fields) {
            if (field.since <= version) {
                field.form.write(field.get(value), version, out);
            }
        }
    }

    /**
     * Reads a record of that type from the buffer's position on.
     *
     * @throws MalformedFrameException where the bytes are not such a record
     */
    public static <T extends Record> T read(Class<T> type, int version, ByteBuffer in) {
        try {
            return type.cast(SCHEMAS.get(type).read(version, in));
        } catch (java.nio.BufferUnderflowException e) {
            throw new MalformedFrameException(type.getName() + " ends too early");
        }
    }

    /** Name, type and {@code since} of a record's components, in wire order: the printable schema. */
    public static List<String> describe(Class<? extends Record> type) {
        List<String> lines = new ArrayList<>();
        for (Field field : SCHEMAS.get(type).fields) {
            lines.add(field.name + ": " + field.form.name() + (field.since > 1 ? " since " + field.since : ""));
        }
        return lines;
    }

    private record Field(String name, int since, MethodHandle accessor, Form form) {
        Object get(Record value) {
            try {
                return (Object) accessor.invokeExact((Object) value);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError("an accessor of " + value.getClass() + " threw", e);
            }
        }
    }

    private static final class Schema {
        private final Field[] fields;
        private final MethodHandle constructor;

        private Schema(Field[] fields, MethodHandle constructor) {
            this.fields = fields;
            this.constructor = constructor;
        }

        static Schema of(Class<?> type) {
            if (!type.isRecord()) {
                throw new IllegalArgumentException(type + " is not a record");
            }
            try {
                MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
                RecordComponent[] components = type.getRecordComponents();
                Class<?>[] types = new Class<?>[components.length];
                Field[] fields = new Field[components.length];
                int since = 1;
                for (int i = 0; i < components.length; i++) {
                    RecordComponent component = components[i];
                    Since from = component.getAnnotation(Since.class);
                    int own = from == null ? 1 : from.value();
                    if (own < since) {
                        throw new IllegalArgumentException(
                                type + ": " + component.getName() + " stands behind later ones");
                    }
                    since = own;
                    types[i] = component.getType();
                    MethodHandle accessor = lookup.unreflect(component.getAccessor())
                            .asType(MethodType.methodType(Object.class, Object.class));
                    fields[i] = new Field(component.getName(), own, accessor, form(component.getGenericType()));
                }
                MethodHandle constructor = lookup.findConstructor(type, MethodType.methodType(void.class, types))
                        .asSpreader(Object[].class, types.length)
                        .asType(MethodType.methodType(Object.class, Object[].class));
                return new Schema(fields, constructor);
            } catch (ReflectiveOperationException e) {
                throw new IllegalArgumentException(type + " cannot be read by reflection", e);
            }
        }

        Object read(int version, ByteBuffer in) {
            Object[] values = new Object[fields.length];
            for (int i = 0; i < fields.length; i++) {
                values[i] = fields[i].since <= version ? fields[i].form.read(version, in) : fields[i].form.absent();
            }
            try {
                return (Object) constructor.invokeExact(values);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError("a record constructor threw", e);
            }
        }
    }

    private static Form form(Type type) {
        if (type instanceof ParameterizedType generic && generic.getRawType() == List.class) {
            return new ListForm(recordForm(generic.getActualTypeArguments()[0]));
        }
        if (type instanceof Class<?> c) {
            for (Primitive primitive : Primitive.values()) {
                if (primitive.type == c) {
                    return primitive;
                }
            }
            if (c.isEnum()) {
                return new EnumForm(c, c.getEnumConstants());
            }
            return recordForm(c);
        }
        throw new IllegalArgumentException("no wire form for " + type);
    }

    private static RecordForm recordForm(Type type) {
        if (type instanceof Class<?> c && c.isRecord()) {
            return new RecordForm(c);
        }
        throw new IllegalArgumentException("no wire form for " + type);
    }

    /** How one type stands on the wire. */
    private interface Form {
        String name();

        int size(Object value, int version);

        void write(Object value, int version, ByteBuffer out);

        Object read(int version, ByteBuffer in);

        Object absent();
    }

    private enum Primitive implements Form {
        BOOLEAN(boolean.class, 1, false) {
            @Override
            public void write(Object value, int version, ByteBuffer out) {
                out.put((byte) ((Boolean) value ? 1 : 0));
            }

            @Override
            public Object read(int version, ByteBuffer in) {
                byte b = in.get();
                if (b != 0 && b != 1) {
                    throw new MalformedFrameException("boolean is " + b);
                }
                return b == 1;
            }
        },
        BYTE(byte.class, 1, (byte) 0) {
            @Override
            public void write(Object value, int version, ByteBuffer out) {
                out.put((Byte) value);
            }

            @Override
            public Object read(int version, ByteBuffer in) {
                return in.get();
            }
        },
        SHORT(short.class, 2, (short) 0) {
            @Override
            public void write(Object value, int version, ByteBuffer out) {
                out.putShort((Short) value);
            }

            @Override
            public Object read(int version, ByteBuffer in) {
                return in.getShort();
            }
        },
        INT(int.class, 4, 0) {
            @Override
            public void write(Object value, int version, ByteBuffer out) {
                out.putInt((Integer) value);
            }

            @Override
            public Object read(int version, ByteBuffer in) {
                return in.getInt();
            }
        },
        LONG(long.class, 8, 0L) {
            @Override
            public void write(Object value, int version, ByteBuffer out) {
                out.putLong((Long) value);
            }

            @Override
            public Object read(int version, ByteBuffer in) {
                return in.getLong();
            }
        },
        STRING(String.class, 4, null) {
            @Override
            public int size(Object value, int version) {
                return value == null ? 4 : 4 + Utf8.length((String) value);
            }

            @Override
            public void write(Object value, int version, ByteBuffer out) {
                if (value == null) {
                    out.putInt(-1);
                } else {
                    byte[] bytes = ((String) value).getBytes(StandardCharsets.UTF_8);
                    out.putInt(bytes.length).put(bytes);
                }
            }

            @Override
            public Object read(int version, ByteBuffer in) {
                int length = in.getInt();
                if (length == -1) {
                    return null;
                }
                return Utf8.decode(slice(in, length, "string"));
            }
        },
        BYTES(ByteBuffer.class, 4, ByteBuffer.allocate(0).asReadOnlyBuffer()) {
            @Override
            public int size(Object value, int version) {
                return Math.addExact(4, ((ByteBuffer) value).remaining());
            }

            @Override
            public void write(Object value, int version, ByteBuffer out) {
                ByteBuffer bytes = (ByteBuffer) value;
                out.putInt(bytes.remaining());
                out.put(bytes.duplicate());
            }

            @Override
            public Object read(int version, ByteBuffer in) {
                return slice(in, in.getInt(), "bytes");
            }
        };

        private final Class<?> type;
        private final int size;
        private final Object absent;

        Primitive(Class<?> type, int size, Object absent) {
            this.type = type;
            this.size = size;
            this.absent = absent;
        }

        @Override
        public int size(Object value, int version) {
            return size;
        }

        @Override
        public Object absent() {
            return absent;
        }

        private static ByteBuffer slice(ByteBuffer in, int length, String what) {
            if (length < 0 || length > in.remaining()) {
                throw new MalformedFrameException(
                        what + " of " + length + " bytes where " + in.remaining() + " remain");
            }
            ByteBuffer slice = in.slice(in.position(), length);
            in.position(in.position() + length);
            return slice;
        }
    }

    private record EnumForm(Class<?> type, Object[] constants) implements Form {
        @Override
        public String name() {
            return type.getSimpleName() + Arrays.toString(constants);
        }

        @Override
        public int size(Object value, int version) {
            return 1;
        }

        @Override
        public void write(Object value, int version, ByteBuffer out) {
            out.put((byte) ((Enum<?>) value).ordinal());
        }

        @Override
        public Object read(int version, ByteBuffer in) {
            int ordinal = in.get() & 0xFF;
            if (ordinal >= constants.length) {
                throw new MalformedFrameException(type.getSimpleName() + " has no constant " + ordinal);
            }
            return constants[ordinal];
        }

        @Override
        public Object absent() {
            return constants[0];
        }
    }

    private record RecordForm(Class<?> type) implements Form {
        @Override
        public String name() {
            return type.getSimpleName();
        }

        @Override
        public int size(Object value, int version) {
            return sizeOf((Record) value, version);
        }

        @Override
        public void write(Object value, int version, ByteBuffer out) {
            Codec.write((Record) value, version, out);
        }

        @Override
        public Object read(int version, ByteBuffer in) {
            return SCHEMAS.get(type).read(version, in);
        }

        @Override
        public Object absent() {
            return null;
        }
    }

    private record ListForm(RecordForm element) implements Form {
        @Override
        public String name() {
            return "list of " + element.name();
        }

        @Override
        public int size(Object value, int version) {
            int size = 4;
            for (Object item : (List<?>) value) {
                size = Math.addExact(size, element.size(item, version));
            }
            return size;
        }

        @Override
        public void write(Object value, int version, ByteBuffer out) {
            List<?> items = (List<?>) value;
            out.putInt(items.size());
            for (Object item : items) {
                element.write(item, version, out);
            }
        }

        @Override
        public Object read(int version, ByteBuffer in) {
            int count = in.getInt();
            // Every element takes a byte at least, so a count beyond the remaining bytes is a lie.
            if (count < 0 || count > in.remaining()) {
                throw new MalformedFrameException("list of " + count + " where " + in.remaining() + " bytes remain");
            }
            List<Object> items = new ArrayList<>(Math.min(count, ELEMENTS_ALLOCATED_AT_ONCE));
            for (int i = 0; i < count; i++) {
                items.add(element.read(version, in));
            }
            return items;
        }

        @Override
        public Object absent() {
            return List.of();
        }
    }

    /** Strict UTF-8: what is not well-formed is refused, never replaced. */
    private static final class Utf8 {
        static int length(String text) {
            int length = 0;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c < 0x80) {
                    length++;
                } else if (c < 0x800) {
                    length += 2;
                } else if (Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1))) {
                    length += 4;
                    i++;
                } else if (Character.isSurrogate(c)) {
                    length += 1; // String.getBytes puts '?'
                } else {
                    length += 3;
                }
            }
            return length;
        }

        static String decode(ByteBuffer bytes) {
            try {
                return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
            } catch (CharacterCodingException e) {
                throw new MalformedFrameException("string is not UTF-8");
            }
        }
    }
}
