package io.duramen.node.command;

import io.duramen.metadata.ShardImage;
import java.io.PrintWriter;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.StringJoiner;

/** Rows of a shard's state as JSON: a record is an object, a list an array, bytes are Base64. */
public final class RowJson {
    private RowJson() {}

    /** Prints how far the state is, then its rows, one a line, each with the name of its kind. */
    public static void print(ShardImage image, PrintWriter out) {
        line("state", image.head(), out);
        image.destinations().forEach(row -> line("destination", row, out));
        image.subscriptions().forEach(row -> line("subscription", row, out));
        image.cursors().forEach(row -> line("cursor", row, out));
        image.producers().forEach(row -> line("producer", row, out));
        image.openBodies().forEach(row -> line("openBody", row, out));
        image.pins().forEach(row -> line("pin", row, out));
        image.branches().forEach(row -> line("branch", row, out));
        image.facts().forEach(row -> line("fact", row, out));
        image.dedup().forEach(row -> line("dedup", row, out));
    }

    private static void line(String kind, Record row, PrintWriter out) {
        out.println("{" + quoted(kind) + ":" + json(row) + "}");
    }

    static String json(Object value) {
        if (value instanceof Record row) {
            StringJoiner fields = new StringJoiner(",", "{", "}");
            for (RecordComponent component : row.getClass().getRecordComponents()) {
                fields.add(quoted(component.getName()) + ":" + json(valueOf(component, row)));
            }
            return fields.toString();
        }
        if (value instanceof List<?> list) {
            StringJoiner items = new StringJoiner(",", "[", "]");
            list.forEach(item -> items.add(json(item)));
            return items.toString();
        }
        if (value instanceof ByteBuffer bytes) {
            byte[] copy = new byte[bytes.remaining()];
            bytes.duplicate().get(copy);
            return quoted(Base64.getEncoder().encodeToString(copy));
        }
        return value instanceof Number || value instanceof Boolean ? value.toString() : quoted(value.toString());
    }

    private static Object valueOf(RecordComponent component, Record row) {
        try {
            return component.getAccessor().invoke(row);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(component.getName() + " of " + row.getClass() + " cannot be read", e);
        }
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
