package io.duramen.protocol;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** How one type stands on the wire. Immutable. */
interface Form {
    String describe();

    /** Bytes of the shortest value, at the oldest version. */
    int minLength();

    int size(Object value, int version);

    void write(Object value, int version, ByteBuffer out);

    /**
     * @throws MalformedFrameException where the bytes are no such value
     * @throws java.nio.BufferUnderflowException where they end too early
     */
    Object read(int version, ByteBuffer in);

    /** What is read from a peer that does not know the component. */
    Object absent();

    default boolean isNullable() {
        return false;
    }

    /**
     * @param around the records in which the component stands
     * @throws IllegalArgumentException where the type has no wire form
     */
    static Form of(Type type, Set<Class<?>> around) {
        if (type instanceof ParameterizedType generic
                && generic.getRawType() == List.class
                && generic.getActualTypeArguments()[0] instanceof Class<?> element) {
            return ListForm.of(Schema.of(element, around));
        }
        if (!(type instanceof Class<?> c)) {
            throw new IllegalArgumentException("no wire form for " + type);
        }
        for (Primitive primitive : Primitive.values()) {
            if (primitive.type == c) {
                return primitive;
            }
        }
        if (c == String.class) {
            return new StringForm();
        }
        if (c == ByteBuffer.class) {
            return new BytesForm();
        }
        return c.isEnum() ? EnumForm.of(c) : new RecordForm(Schema.of(c, around));
    }

    /** Takes {@code length} bytes off the input; {@code what} is for the message. */
    private static ByteBuffer slice(ByteBuffer in, int length, String what) {
        if (length < 0 || length > in.remaining()) {
            throw new MalformedFrameException(what + " of " + length + " bytes where " + in.remaining() + " remain");
        }
        ByteBuffer slice = in.slice(in.position(), length);
        in.position(in.position() + length);
        return slice;
    }

    record StringForm() implements Form {
        @Override
        public String describe() {
            return "string";
        }

        @Override
        public int minLength() {
            return 4;
        }

        @Override
        public boolean isNullable() {
            return true;
        }

        @Override
        public int size(Object value, int version) {
            return value == null ? 4 : Math.addExact(4, Utf8.length((String) value));
        }

        @Override
        public void write(Object value, int version, ByteBuffer out) {
            if (value == null) {
                out.putInt(-1);
            } else {
                byte[] bytes = Utf8.encode((String) value);
                out.putInt(bytes.length).put(bytes);
            }
        }

        @Override
        public Object read(int version, ByteBuffer in) {
            int length = in.getInt();
            return length == -1 ? null : Utf8.decode(slice(in, length, "string"));
        }

        @Override
        public Object absent() {
            return null;
        }
    }

    record BytesForm() implements Form {
        private static final ByteBuffer EMPTY = ByteBuffer.allocate(0).asReadOnlyBuffer();

        @Override
        public String describe() {
            return "bytes";
        }

        @Override
        public int minLength() {
            return 4;
        }

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

        @Override
        public Object absent() {
            return EMPTY;
        }
    }

    record EnumForm(Class<?> type, Object[] constants) implements Form {
        private static final int CONSTANTS_MAX = 256;

        static EnumForm of(Class<?> type) {
            Object[] constants = type.getEnumConstants();
            if (constants.length > CONSTANTS_MAX) {
                throw new IllegalArgumentException(type + " has more constants than a byte can tell");
            }
            return new EnumForm(type, constants);
        }

        @Override
        public String describe() {
            return type.getSimpleName() + " " + Arrays.toString(constants);
        }

        @Override
        public int minLength() {
            return 1;
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

    record RecordForm(Schema schema) implements Form {
        @Override
        public String describe() {
            return schema.type().getSimpleName();
        }

        @Override
        public int minLength() {
            return schema.minLength();
        }

        @Override
        public int size(Object value, int version) {
            return schema.size((Record) value, version);
        }

        @Override
        public void write(Object value, int version, ByteBuffer out) {
            schema.write((Record) value, version, out);
        }

        @Override
        public Object read(int version, ByteBuffer in) {
            return schema.read(version, in);
        }

        @Override
        public Object absent() {
            return null;
        }
    }

    /** @param elementMinLength bytes of the shortest element; never 0, or a count could not be told from a lie */
    record ListForm(Schema element, int elementMinLength) implements Form {
        static ListForm of(Schema element) {
            if (element.minLength() == 0) {
                throw new IllegalArgumentException("a list of " + element.type() + ", which may take no byte at all");
            }
            return new ListForm(element, element.minLength());
        }

        @Override
        public String describe() {
            return "list of " + element.type().getSimpleName();
        }

        @Override
        public int minLength() {
            return 4;
        }

        @Override
        public int size(Object value, int version) {
            int size = 4;
            for (Object item : (List<?>) value) {
                size = Math.addExact(size, element.size((Record) item, version));
            }
            return size;
        }

        @Override
        public void write(Object value, int version, ByteBuffer out) {
            List<?> items = (List<?>) value;
            out.putInt(items.size());
            for (Object item : items) {
                element.write((Record) item, version, out);
            }
        }

        @Override
        public Object read(int version, ByteBuffer in) {
            int count = in.getInt();
            if (count < 0 || count > in.remaining() / elementMinLength) {
                throw new MalformedFrameException("list of " + count + " where " + in.remaining() + " bytes remain");
            }
            if (count == 0) {
                return List.of();
            }
            Object[] items = new Object[count];
            for (int i = 0; i < count; i++) {
                items[i] = element.read(version, in);
            }
            return Collections.unmodifiableList(Arrays.asList(items));
        }

        @Override
        public Object absent() {
            return List.of();
        }
    }
}
