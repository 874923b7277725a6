package io.duramen.protocol;

import io.duramen.protocol.frame.Since;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The components of one record class, made once by reflection. Immutable. A schema is a tree: it holds those of the
 * records inside it, so nothing is looked up while a frame is read.
 */
final class Schema {
    private final Class<?> type;
    private final Field[] fields;
    private final MethodHandle constructor;

    private Schema(Class<?> type, Field[] fields, MethodHandle constructor) {
        this.type = type;
        this.fields = fields;
        this.constructor = constructor;
    }

    /**
     * @throws IllegalArgumentException where the class is not a record, contains itself, has a component without a wire
     *     form, or one that stands behind those of a later version
     */
    static Schema of(Class<?> type) {
        return of(type, Set.of());
    }

    /** @param around the records in which this one stands */
    static Schema of(Class<?> type, Set<Class<?>> around) {
        if (!type.isRecord()) {
            throw new IllegalArgumentException(type + " is not a record");
        }
        if (around.contains(type)) {
            throw new IllegalArgumentException(type + " contains itself");
        }
        Set<Class<?>> inside = Stream.concat(around.stream(), Stream.of(type)).collect(Collectors.toUnmodifiableSet());
        RecordComponent[] components = type.getRecordComponents();
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            Field[] fields = new Field[components.length];
            int since = 1;
            for (int i = 0; i < components.length; i++) {
                fields[i] = Field.of(components[i], lookup, inside);
                if (fields[i].since < since) {
                    throw new IllegalArgumentException(
                            type + ": " + components[i].getName() + " stands behind later ones");
                }
                since = fields[i].since;
            }
            Class<?>[] types =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            MethodHandle constructor = lookup.findConstructor(type, MethodType.methodType(void.class, types))
                    .asSpreader(Object[].class, types.length)
                    .asType(MethodType.methodType(Object.class, Object[].class));
            return new Schema(type, fields, constructor);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type + " cannot be read by reflection", e);
        }
    }

    Class<?> type() {
        return type;
    }

    /** Bytes of the shortest such record, at the oldest version. */
    int minLength() {
        int length = 0;
        for (Field field : fields) {
            length += field.since == 1 ? field.form.minLength() : 0;
        }
        return length;
    }

    int size(Record value, int version) {
        int size = 0;
        for (Field field : fields) {
            if (field.since <= version) {
                size = Math.addExact(size, field.size(value, version));
            }
        }
        return size;
    }

    void write(Record value, int version, ByteBuffer out) {
        for (Field field : fields) {
            if (field.since <= version) {
                field.write(value, version, out);
            }
        }
    }

    /** The bytes that a record ends with; null where it ends with something else. */
    ByteBuffer lastBytes(Record value, int version) {
        Field last = last(version);
        return last != null && last.form instanceof Form.BytesForm ? (ByteBuffer) last.object(value) : null;
    }

    /** As {@link #write}, without the {@link #lastBytes}, of which the length alone is written. */
    void writeHead(Record value, int version, ByteBuffer out) {
        Field last = last(version);
        for (Field field : fields) {
            if (field == last) {
                out.putInt(((ByteBuffer) field.object(value)).remaining());
            } else if (field.since <= version) {
                field.write(value, version, out);
            }
        }
    }

    private Field last(int version) {
        int i = fields.length - 1;
        while (i >= 0 && fields[i].since > version) {
            i--;
        }
        return i < 0 ? null : fields[i];
    }

    Object read(int version, ByteBuffer in) {
        Object[] values = new Object[fields.length];
        for (int i = 0; i < fields.length; i++) {
            values[i] = fields[i].since <= version ? fields[i].form.read(version, in) : fields[i].form.absent();
        }
        try {
            return (Object) constructor.invokeExact(values);
        } catch (IllegalArgumentException e) {
            throw new MalformedFrameException(type.getSimpleName() + ": " + e.getMessage());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("a constructor of " + type + " threw", e);
        }
    }

    List<String> describe() {
        return Arrays.stream(fields).map(Field::describe).toList();
    }

    /** @param accessor from the record (as Object) to the component, primitive where that is, else Object */
    private record Field(String name, int since, MethodHandle accessor, Form form) {
        static Field of(RecordComponent component, MethodHandles.Lookup lookup, Set<Class<?>> around)
                throws IllegalAccessException {
            Since since = component.getAnnotation(Since.class);
            Class<?> result = component.getType().isPrimitive() ? component.getType() : Object.class;
            MethodHandle accessor =
                    lookup.unreflect(component.getAccessor()).asType(MethodType.methodType(result, Object.class));
            return new Field(
                    component.getName(),
                    since == null ? 1 : since.value(),
                    accessor,
                    Form.of(component.getGenericType(), around));
        }

        int size(Record value, int version) {
            return form instanceof Primitive ? form.minLength() : form.size(object(value), version);
        }

        void write(Record value, int version, ByteBuffer out) {
            if (form instanceof Primitive primitive) {
                writePrimitive(primitive, value, out);
            } else {
                form.write(object(value), version, out);
            }
        }

        /** Without boxing: this is most of what a frame holds. */
        private void writePrimitive(Primitive primitive, Object value, ByteBuffer out) {
            try {
                switch (primitive) {
                    case BOOLEAN -> out.put((byte) ((boolean) accessor.invokeExact(value) ? 1 : 0));
                    case BYTE -> out.put((byte) accessor.invokeExact(value));
                    case SHORT -> out.putShort((short) accessor.invokeExact(value));
                    case INT -> out.putInt((int) accessor.invokeExact(value));
                    case LONG -> out.putLong((long) accessor.invokeExact(value));
                }
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError("accessor " + name + " threw", e);
            }
        }

        private Object object(Object value) {
            try {
                Object component = (Object) accessor.invokeExact(value);
                if (component == null && !form.isNullable()) {
                    throw new NullPointerException(value.getClass().getName() + "." + name + " is null");
                }
                return component;
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError("accessor " + name + " threw", e);
            }
        }

        String describe() {
            return name + ": " + form.describe() + (since > 1 ? " since " + since : "");
        }
    }
}
