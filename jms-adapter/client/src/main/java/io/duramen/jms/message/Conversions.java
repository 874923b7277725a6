package io.duramen.jms.message;

import jakarta.jms.MessageFormatException;

/**
 * Any thread: holds nothing. The conversion table of Jakarta Messaging for properties and for the entries of map and
 * stream bodies: a value may be read as its own type, a wider one of its kind, or a String; a String as what it spells.
 * A null reads as what {@code valueOf((String) null)} of the type gives: false, or an unchecked exception.
 *
 * <p>Every method throws {@link MessageFormatException} for a pair outside the table, {@link NumberFormatException} for
 * a String that spells no such number.
 */
public final class Conversions {
    private Conversions() {}

    public static boolean toBoolean(Object value) throws MessageFormatException {
        if (value instanceof Boolean b) {
            return b;
        }
        return Boolean.parseBoolean(spelled(value, "boolean"));
    }

    public static byte toByte(Object value) throws MessageFormatException {
        if (value instanceof Byte b) {
            return b;
        }
        return Byte.parseByte(spelled(value, "byte"));
    }

    public static short toShort(Object value) throws MessageFormatException {
        if (value instanceof Short || value instanceof Byte) {
            return ((Number) value).shortValue();
        }
        return Short.parseShort(spelled(value, "short"));
    }

    /** @throws NullPointerException for null */
    public static char toChar(Object value) throws MessageFormatException {
        if (value == null) {
            throw new NullPointerException("a null cannot be read as char");
        }
        if (value instanceof Character c) {
            return c;
        }
        throw refused(value, "char");
    }

    public static int toInt(Object value) throws MessageFormatException {
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).intValue();
        }
        return Integer.parseInt(spelled(value, "int"));
    }

    public static long toLong(Object value) throws MessageFormatException {
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        return Long.parseLong(spelled(value, "long"));
    }

    /** @throws NullPointerException for null, as {@link Float#valueOf(String)} does */
    public static float toFloat(Object value) throws MessageFormatException {
        if (value instanceof Float f) {
            return f;
        }
        return Float.parseFloat(spelled(value, "float"));
    }

    /** @throws NullPointerException for null, as {@link Double#valueOf(String)} does */
    public static double toDouble(Object value) throws MessageFormatException {
        if (value instanceof Double || value instanceof Float) {
            return ((Number) value).doubleValue();
        }
        return Double.parseDouble(spelled(value, "double"));
    }

    /** @return null for null */
    public static String toString(Object value) throws MessageFormatException {
        if (value instanceof byte[]) {
            throw refused(value, "String");
        }
        return value == null ? null : value.toString();
    }

    /** @return a copy, null for null */
    public static byte[] toBytes(Object value) throws MessageFormatException {
        if (value == null) {
            return null;
        }
        if (value instanceof byte[] bytes) {
            return bytes.clone();
        }
        throw refused(value, "byte[]");
    }

    /** @return the value; of a byte array a copy */
    static Object copyOf(Object value) {
        return value instanceof byte[] bytes ? bytes.clone() : value;
    }

    /** @throws MessageFormatException where the value's type cannot stand in a property */
    static void checkProperty(Object value) throws MessageFormatException {
        if (!(value == null || value instanceof String || value instanceof Boolean || isNumber(value))) {
            throw new MessageFormatException(
                    "a property cannot hold a " + value.getClass().getName());
        }
    }

    /** @throws MessageFormatException where the value's type cannot stand in a map or stream body */
    static void checkEntry(Object value) throws MessageFormatException {
        if (!(value instanceof byte[] || value instanceof Character)) {
            checkProperty(value);
        }
    }

    private static boolean isNumber(Object value) {
        return value instanceof Integer
                || value instanceof Long
                || value instanceof Double
                || value instanceof Float
                || value instanceof Short
                || value instanceof Byte;
    }

    private static String spelled(Object value, String type) throws MessageFormatException {
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw refused(value, type);
    }

    private static MessageFormatException refused(Object value, String type) {
        return new MessageFormatException("a " + value.getClass().getSimpleName() + " cannot be read as " + type);
    }
}
