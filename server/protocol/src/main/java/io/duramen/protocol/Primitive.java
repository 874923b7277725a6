package io.duramen.protocol;

import java.nio.ByteBuffer;
import java.util.Locale;

/** The forms of the primitive types. A {@link Schema} writes them without boxing; so {@link #write} is never called. */
enum Primitive implements Form {
    BOOLEAN(boolean.class, 1, false),
    BYTE(byte.class, 1, (byte) 0),
    SHORT(short.class, 2, (short) 0),
    INT(int.class, 4, 0),
    LONG(long.class, 8, 0L);

    final Class<?> type;
    private final int length;
    private final Object absent;

    Primitive(Class<?> type, int length, Object absent) {
        this.type = type;
        this.length = length;
        this.absent = absent;
    }

    @Override
    public String describe() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public int minLength() {
        return length;
    }

    @Override
    public int size(Object value, int version) {
        return length;
    }

    @Override
    public void write(Object value, int version, ByteBuffer out) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Object read(int version, ByteBuffer in) {
        return switch (this) {
            case BOOLEAN -> bool(in.get());
            case BYTE -> in.get();
            case SHORT -> in.getShort();
            case INT -> in.getInt();
            case LONG -> in.getLong();
        };
    }

    @Override
    public Object absent() {
        return absent;
    }

    private static Object bool(byte value) {
        if (value != 0 && value != 1) {
            throw new MalformedFrameException("boolean is " + value);
        }
        return value == 1;
    }
}
