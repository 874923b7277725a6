package io.duramen.jms.message;

import jakarta.jms.MessageFormatException;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.Set;

/**
 * What sections 3.5.4 and 3.11.3 of Jakarta Messaging say of a value that is read as a type, as they say it: the marks of the
 * table, and otherwise the {@code valueOf} of the type. Knows nothing of how messages do it.
 */
final class NaiveConversion {
    private static final Map<Class<?>, Set<Class<?>>> MARKED = Map.of(
            Boolean.class, Set.of(boolean.class),
            Byte.class, Set.of(byte.class, short.class, int.class, long.class),
            Short.class, Set.of(short.class, int.class, long.class),
            Character.class, Set.of(char.class),
            Integer.class, Set.of(int.class, long.class),
            Long.class, Set.of(long.class),
            Float.class, Set.of(float.class, double.class),
            Double.class, Set.of(double.class),
            byte[].class, Set.of(byte[].class));

    private static final Map<Class<?>, Class<?>> BOXED = Map.of(
            boolean.class, Boolean.class,
            byte.class, Byte.class,
            short.class, Short.class,
            int.class, Integer.class,
            long.class, Long.class,
            float.class, Float.class,
            double.class, Double.class);

    private NaiveConversion() {}

    /** @return the value, or the class of what is to be thrown */
    static Object of(Object written, Class<?> type) throws ReflectiveOperationException {
        if (written == null || written instanceof String) {
            return ofText((String) written, type);
        }
        if (type == String.class) {
            return written instanceof byte[] ? MessageFormatException.class : written.toString();
        }
        if (!MARKED.get(written.getClass()).contains(type)) {
            return MessageFormatException.class;
        }
        return written instanceof Number number ? widened(number, type) : written;
    }

    private static Object ofText(String text, Class<?> type) throws ReflectiveOperationException {
        if (type == String.class) {
            return text;
        }
        if (type == char.class) {
            return text == null ? NullPointerException.class : MessageFormatException.class;
        }
        if (type == byte[].class) {
            return text == null ? null : MessageFormatException.class;
        }
        try {
            return BOXED.get(type).getMethod("valueOf", String.class).invoke(null, text);
        } catch (InvocationTargetException e) {
            return e.getCause().getClass();
        }
    }

    private static Object widened(Number number, Class<?> type) throws ReflectiveOperationException {
        return Number.class.getMethod(type.getName() + "Value").invoke(number);
    }
}
