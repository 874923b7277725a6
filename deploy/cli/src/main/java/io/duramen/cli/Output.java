package io.duramen.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Prints answers: rows as a table, one thing as a list of what it has, or all of it as JSON. Any thread: holds nothing. */
final class Output {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CELL_MAX = 60;

    private Output() {}

    /** @param answer null where the operation answers nothing */
    static void print(Object answer, boolean json, PrintWriter out) {
        if (json) {
            out.println(json(answer));
        } else if (answer == null) {
            out.println("done");
        } else if (answer instanceof Collection<?> rows) {
            table(rows, out);
        } else if (answer instanceof Record one) {
            Map<String, Object> fields = fields(one);
            if (fields.get("rows") instanceof Collection<?> rows) {
                table(rows, out);
                next(fields.get("next"), out);
            } else {
                list(fields, out);
            }
        } else if (answer instanceof Map<?, ?> all) {
            list(all, out);
        } else {
            out.println(answer);
        }
        out.flush();
    }

    private static String json(Object answer) {
        try {
            return JSON.writeValueAsString(answer instanceof Record one ? plain(one) : plainOf(answer));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object plainOf(Object value) {
        if (value instanceof Record one) {
            return plain(one);
        }
        return value instanceof Collection<?> all
                ? all.stream().map(Output::plainOf).toList()
                : value;
    }

    /** By its components: its getters are for JMX. */
    private static Map<String, Object> plain(Record one) {
        Map<String, Object> plain = new LinkedHashMap<>();
        fields(one).forEach((name, value) -> plain.put(name, plainOf(value)));
        return plain;
    }

    private static Map<String, Object> fields(Record one) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (RecordComponent component : one.getClass().getRecordComponents()) {
            try {
                fields.put(component.getName(), component.getAccessor().invoke(one));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
        return fields;
    }

    private static void next(Object next, PrintWriter out) {
        String text = Objects.toString(next, "");
        if (!text.isEmpty() && !text.equals("-1")) {
            out.println("More: --after " + text);
        }
    }

    private static void list(Map<?, ?> fields, PrintWriter out) {
        int width = fields.keySet().stream()
                .mapToInt(name -> name.toString().length())
                .max()
                .orElse(0);
        fields.forEach((name, value) -> out.println(padded(name.toString(), width) + "  " + value));
    }

    /** Of rows of one kind. */
    static void table(Collection<?> rows, PrintWriter out) {
        List<List<String>> lines = new ArrayList<>();
        for (Object row : rows) {
            Map<String, Object> fields = row instanceof Record one ? fields(one) : Map.of("value", row);
            if (lines.isEmpty()) {
                lines.add(fields.keySet().stream()
                        .map(name -> Main.kebab(name).toUpperCase(Locale.ROOT))
                        .toList());
            }
            lines.add(fields.values().stream().map(Output::cell).toList());
        }
        if (lines.isEmpty()) {
            out.println("none");
            return;
        }
        int[] widths = new int[lines.get(0).size()];
        lines.forEach(line -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        });
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                text.append(padded(line.get(i), widths[i])).append("  ");
            }
            out.println(text.toString().stripTrailing());
        }
    }

    private static String cell(Object value) {
        String text = Objects.toString(value, "").replaceAll("\\p{Cntrl}", " ");
        return text.length() > CELL_MAX ? text.substring(0, CELL_MAX - 1) + "…" : text;
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
