package io.duramen.jms.message;

import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.StreamMessage;

/** Reads values as types that are known at run time only. */
final class Readings {
    interface Read {
        Object get() throws JMSException;
    }

    private Readings() {}

    static Object property(Message message, String name, Class<?> type) throws JMSException {
        return switch (type.getSimpleName()) {
            case "boolean" -> message.getBooleanProperty(name);
            case "byte" -> message.getByteProperty(name);
            case "short" -> message.getShortProperty(name);
            case "int" -> message.getIntProperty(name);
            case "long" -> message.getLongProperty(name);
            case "float" -> message.getFloatProperty(name);
            case "double" -> message.getDoubleProperty(name);
            default -> message.getStringProperty(name);
        };
    }

    static Object entry(MapMessage message, String name, Class<?> type) throws JMSException {
        return switch (type.getSimpleName()) {
            case "boolean" -> message.getBoolean(name);
            case "byte" -> message.getByte(name);
            case "short" -> message.getShort(name);
            case "char" -> message.getChar(name);
            case "int" -> message.getInt(name);
            case "long" -> message.getLong(name);
            case "float" -> message.getFloat(name);
            case "double" -> message.getDouble(name);
            case "String" -> message.getString(name);
            default -> message.getBytes(name);
        };
    }

    /** Of a stream, all but arrays of bytes. */
    static Object next(StreamMessage message, Class<?> type) throws JMSException {
        return switch (type.getSimpleName()) {
            case "boolean" -> message.readBoolean();
            case "byte" -> message.readByte();
            case "short" -> message.readShort();
            case "char" -> message.readChar();
            case "int" -> message.readInt();
            case "long" -> message.readLong();
            case "float" -> message.readFloat();
            case "double" -> message.readDouble();
            default -> message.readString();
        };
    }
}
