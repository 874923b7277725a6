package io.duramen.jms.message;

import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.record.PropertyType;
import jakarta.jms.JMSException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Any thread: holds nothing. Typed values, as in property regions and in map and stream bodies (layout in
 * {@link io.duramen.protocol.record.MessageRecord} and {@link PropertyType}). Reading allocates no more than the bytes
 * that are there can fill.
 */
final class ValueCodec {
    /** A name takes two bytes and its value one at least. */
    private static final int SHORTEST_ENTRY = 3;

    /** Bytes of a value without those of a text or array, at most. */
    private static final int FIXED_MAX = 9;

    /** In place of a count of values. */
    static final int UNTIL_THE_END = -1;

    private static final int MAX_NAME_LENGTH = 0xFFFF;

    private ValueCodec() {}

    static void putMap(Map<String, Object> map, BatchBuffer out) throws JMSException {
        out.ensure(4).putInt(map.size());
        for (Map.Entry<String, Object> entry : map.entrySet()) {
            putName(entry.getKey(), out);
            put(entry.getValue(), out);
        }
    }

    static void putList(List<Object> list, BatchBuffer out) throws JMSException {
        out.ensure(4).putInt(list.size());
        for (Object value : list) {
            put(value, out);
        }
    }

    /** Whether they may take more bytes than that, without their names. */
    static boolean isLongerThan(int lengthMax, Collection<Object> values) {
        long bound = 0;
        for (Object value : values) {
            if (value instanceof String text) {
                bound += (long) text.length() * Utf8.BYTES_MAX;
            } else if (value instanceof byte[] bytes) {
                bound += bytes.length;
            }
            bound += FIXED_MAX;
        }
        return bound > lengthMax;
    }

    /** @throws MalformedFrameException where the bytes are not exactly a map; no bytes are an empty one */
    static Map<String, Object> readMap(ByteBuffer in) {
        try {
            int count = readCount(in, SHORTEST_ENTRY);
            Map<String, Object> map = new LinkedHashMap<>();
            for (int i = 0; i < count; i++) {
                String name = Utf8.read(in, in.getShort() & 0xFFFF);
                map.put(name, read(in));
            }
            return atEnd(in, map);
        } catch (BufferUnderflowException e) {
            throw new MalformedFrameException("an entry ends early");
        }
    }

    /** @throws MalformedFrameException where the bytes are not exactly a list; no bytes are an empty one */
    static List<Object> readList(ByteBuffer in) {
        try {
            int count = readCount(in, 1);
            List<Object> list = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                list.add(read(in));
            }
            return atEnd(in, list);
        } catch (BufferUnderflowException e) {
            throw new MalformedFrameException("a value ends early");
        }
    }

    private static <T> T atEnd(ByteBuffer in, T value) {
        if (in.hasRemaining()) {
            throw new MalformedFrameException(in.remaining() + " bytes behind the last value");
        }
        return value;
    }

    private static int readCount(ByteBuffer in, int shortest) {
        int count = in.hasRemaining() ? in.getInt() : 0;
        if (count < 0 || count > in.remaining() / shortest) {
            throw new MalformedFrameException(count + " values where " + in.remaining() + " bytes are left");
        }
        return count;
    }

    private static void putName(String name, BatchBuffer out) throws JMSException {
        out.ensure(2).putShort((short) 0);
        int at = out.length();
        int length = Utf8.put(name, out);
        if (length > MAX_NAME_LENGTH) {
            throw new MessageTooLongException("a name of " + length + " bytes is longer than " + MAX_NAME_LENGTH);
        }
        out.ensure(0).putShort(at - 2, (short) length);
    }

    static void put(Object value, BatchBuffer out) throws JMSException {
        if (value instanceof String text) {
            ByteBuffer buffer = out.ensure(5);
            buffer.put((byte) PropertyType.STRING.number()).putInt(0);
            int at = out.length();
            int length = Utf8.put(text, out);
            out.ensure(0).putInt(at - 4, length);
        } else if (value instanceof byte[] bytes) {
            out.ensure(5).put((byte) PropertyType.BYTES.number()).putInt(bytes.length);
            out.ensure(bytes.length).put(bytes);
        } else {
            putFixed(value, out.ensure(9));
        }
    }

    private static void putFixed(Object value, ByteBuffer out) {
        if (value == null) {
            out.put((byte) PropertyType.NULL.number());
        } else if (value instanceof Integer i) {
            out.put((byte) PropertyType.INT.number()).putInt(i);
        } else if (value instanceof Long l) {
            out.put((byte) PropertyType.LONG.number()).putLong(l);
        } else if (value instanceof Boolean b) {
            out.put((byte) PropertyType.BOOLEAN.number()).put((byte) (b ? 1 : 0));
        } else if (value instanceof Double d) {
            out.put((byte) PropertyType.DOUBLE.number()).putDouble(d);
        } else if (value instanceof Float f) {
            out.put((byte) PropertyType.FLOAT.number()).putFloat(f);
        } else if (value instanceof Short s) {
            out.put((byte) PropertyType.SHORT.number()).putShort(s);
        } else if (value instanceof Byte b) {
            out.put((byte) PropertyType.BYTE.number()).put(b);
        } else if (value instanceof Character c) {
            out.put((byte) PropertyType.CHAR.number()).putChar(c);
        } else {
            throw new IllegalArgumentException(
                    "no type for a " + value.getClass().getName());
        }
    }

    /** @throws BufferUnderflowException where the bytes end before the value */
    static Object read(ByteBuffer in) {
        PropertyType type = PropertyType.of(in.get());
        return switch (type) {
            case NULL -> null;
            case BOOLEAN -> in.get() != 0;
            case BYTE -> in.get();
            case SHORT -> in.getShort();
            case CHAR -> in.getChar();
            case INT -> in.getInt();
            case LONG -> in.getLong();
            case FLOAT -> in.getFloat();
            case DOUBLE -> in.getDouble();
            case STRING -> Utf8.read(in, in.getInt());
            case BYTES -> readBytes(in, in.getInt());
        };
    }

    private static byte[] readBytes(ByteBuffer in, int length) {
        if (length < 0 || length > in.remaining()) {
            throw new MalformedFrameException(length + " bytes where " + in.remaining() + " are left");
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
