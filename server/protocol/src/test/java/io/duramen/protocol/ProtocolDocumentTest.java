package io.duramen.protocol;

import io.duramen.protocol.Frame.Kind;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Prints the protocol from its records and tables; the committed document says the same, and only grows. */
class ProtocolDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "..", "deploy", "docs", "protocol.md");

    private static final String INTRODUCTION = """
            # The protocol

            Printed from the code; do not edit. What stands here has been released and does not change: later versions add
            frames, components (marked with the version they are on the wire from), constants and errors.

            TCP, default port 7676. Big-endian. The client speaks first: `Hello` with a range of versions, answered with the
            one both use from then on. Every request is answered exactly once, in any order, by its correlation number, with
            its response or with a `Failure`; a `Publish` that asks for no answer is answered only when it is refused.

            ## A frame

            | bytes | what |
            |---|---|
            | 0–3 | length, from behind itself: 12 + payload |
            | 4–5 | number of the frame |
            | 6 | kind: 0 request, 1 response, 2 failure, 3 push |
            | 7 | zero |
            | 8–15 | correlation; 0 in a push |
            | 16– | payload: the components in order |

            ## Types

            | type | on the wire |
            |---|---|
            | boolean, byte | 1 byte |
            | short, int, long | 2, 4, 8 bytes |
            | enum | 1 byte, the number of the constant |
            | string | int length in bytes (-1: null), UTF-8 |
            | bytes | int length, the bytes |
            | list | int count, each element's components |
            | record | its components in order |
            """;

    private final List<String> lines = new ArrayList<>();

    @Test
    void shouldBeTheCommittedDocument() throws IOException {
        INTRODUCTION.lines().forEach(lines::add);
        frames();
        Set<Class<?>> inside = new TreeSet<>(Comparator.comparing(Class::getSimpleName));
        Frames.roles().forEach(role -> collect(role.type(), inside));
        section("Records inside frames");
        inside.stream().filter(Class::isRecord).forEach(this::components);
        section("Enums");
        inside.stream().filter(Class::isEnum).forEach(this::constants);
        errors();
        CommittedLines.assertUnchanged(DOCUMENT, lines);
    }

    private void frames() {
        section("Frames");
        for (Api api : Api.values()) {
            for (Kind kind : Kind.values()) {
                Frames.Role role = new Frames.Role(api, kind);
                if (kind != Kind.FAILURE && Frames.roles().contains(role)) {
                    heading(api.number() + " " + title(role));
                    list(role.type());
                }
            }
        }
        heading("Failure, in answer to any request");
        list(Api.HELLO.type(Kind.FAILURE));
    }

    private void components(Class<?> type) {
        heading(type.getSimpleName());
        list(type.asSubclass(Record.class));
    }

    private void list(Class<? extends Record> type) {
        List<String> components = Codec.describe(type);
        RecordComponent[] declared = type.getRecordComponents();
        for (int i = 0; i < components.size(); i++) {
            boolean constants = declared[i].getType().isEnum();
            String line = components.get(i);
            lines.add("- `" + (constants ? line.replaceFirst(" \\[.*]", "") : line) + "`");
        }
        if (components.isEmpty()) {
            lines.add("- nothing");
        }
    }

    private void constants(Class<?> type) {
        heading(type.getSimpleName());
        for (Object constant : type.getEnumConstants()) {
            lines.add("- " + ((Enum<?>) constant).ordinal() + " `" + constant + "`");
        }
    }

    private void errors() {
        section("Errors");
        lines.add("");
        lines.add("| number | code | what to do | meaning |");
        lines.add("|---|---|---|---|");
        Arrays.stream(ErrorCode.values())
                .sorted(Comparator.comparing(ErrorCode::number))
                .map(code ->
                        "| " + code.number() + " | " + code + " | " + code.advice() + " | " + code.meaning() + " |")
                .forEach(lines::add);
        lines.add("");
        lines.add("- `FAIL`: the request cannot succeed as it is.");
        lines.add("- `RETRY`: the same request may succeed elsewhere or a moment later.");
        lines.add("- `BACK_OFF`: the same request may succeed once the condition in the detail has passed.");
        lines.add("- `CLOSE`: the connection is closed by whoever says so.");
    }

    /** The records and enums that stand inside a record, and inside those. */
    private static void collect(Class<?> type, Set<Class<?>> inside) {
        Set<Class<?>> own = new LinkedHashSet<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Type generic = component.getGenericType();
            Class<?> c = generic instanceof ParameterizedType list
                    ? (Class<?>) list.getActualTypeArguments()[0]
                    : component.getType();
            if (c.isRecord() || c.isEnum()) {
                own.add(c);
            }
        }
        inside.addAll(own);
        own.stream().filter(Class::isRecord).forEach(c -> collect(c, inside));
    }

    private static String title(Frames.Role role) {
        StringBuilder title = new StringBuilder();
        for (String word : role.api().name().split("_")) {
            title.append(word.charAt(0)).append(word.substring(1).toLowerCase(java.util.Locale.ROOT));
        }
        return title + " " + role.kind().name().toLowerCase(java.util.Locale.ROOT);
    }

    private void section(String title) {
        lines.add("");
        lines.add("## " + title);
    }

    private void heading(String title) {
        lines.add("");
        lines.add("### " + title);
        lines.add("");
    }
}
