package io.duramen.broker.selector;

import java.nio.ByteBuffer;

/** A register: one value of any kind. A string stays where it stands, as UTF-8. Confined to its selector's thread. */
final class Value {
    /** Numbers stand in the order of Java's numeric promotion: of two, the later is the type of an operation on both. */
    enum Kind {
        NULL,
        /** Of no type that operators know: arithmetic on what is no number. */
        NONE,
        STRING,
        BOOLEAN,
        INT,
        LONG,
        FLOAT,
        DOUBLE;

        boolean isNumber() {
            return compareTo(INT) >= 0;
        }
    }

    private Kind kind = Kind.NULL;
    private long exact;
    private double approximate;
    private ByteBuffer text;
    private int textAt;
    private int textLength;

    void set(Value other) {
        kind = other.kind;
        exact = other.exact;
        approximate = other.approximate;
        text = other.text;
        textAt = other.textAt;
        textLength = other.textLength;
    }

    void setNull() {
        kind = Kind.NULL;
    }

    void setNone() {
        kind = Kind.NONE;
    }

    Value setBoolean(boolean value) {
        kind = Kind.BOOLEAN;
        exact = value ? 1 : 0;
        return this;
    }

    Value setInt(int value) {
        kind = Kind.INT;
        exact = value;
        return this;
    }

    Value setLong(long value) {
        kind = Kind.LONG;
        exact = value;
        return this;
    }

    Value setFloat(float value) {
        kind = Kind.FLOAT;
        approximate = value;
        return this;
    }

    Value setDouble(double value) {
        kind = Kind.DOUBLE;
        approximate = value;
        return this;
    }

    Value setText(ByteBuffer bytes, int at, int length) {
        kind = Kind.STRING;
        text = bytes;
        textAt = at;
        textLength = length;
        return this;
    }

    Kind kind() {
        return kind;
    }

    boolean isNull() {
        return kind == Kind.NULL;
    }

    boolean isNumber() {
        return kind.isNumber();
    }

    boolean isString() {
        return kind == Kind.STRING;
    }

    boolean isBoolean() {
        return kind == Kind.BOOLEAN;
    }

    boolean booleanValue() {
        return exact != 0;
    }

    int intValue() {
        return (int) exact;
    }

    long longValue() {
        return exact;
    }

    float floatValue() {
        return kind == Kind.INT || kind == Kind.LONG ? (float) exact : (float) approximate;
    }

    double doubleValue() {
        return kind == Kind.INT || kind == Kind.LONG ? (double) exact : approximate;
    }

    ByteBuffer text() {
        return text;
    }

    int textAt() {
        return textAt;
    }

    int textLength() {
        return textLength;
    }

    boolean sameText(Value other) {
        if (textLength != other.textLength) {
            return false;
        }
        for (int i = 0; i < textLength; i++) {
            if (text.get(textAt + i) != other.text.get(other.textAt + i)) {
                return false;
            }
        }
        return true;
    }
}
