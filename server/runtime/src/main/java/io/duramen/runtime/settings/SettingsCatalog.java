package io.duramen.runtime.settings;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** All settings there are, from the records that declare them, and their printed forms. Immutable. */
public final class SettingsCatalog {
    static final String ENVIRONMENT_PREFIX = "DURAMEN_";

    private static final int SUGGESTIONS = 3;

    private final Map<String, Class<? extends Record>> records;
    private final Map<String, SettingDeclaration> declarations = new LinkedHashMap<>();

    /**
     * @param records record class by prefix, in the order of the reference
     * @throws IllegalArgumentException where a component is no setting, or its default not a value it allows
     */
    public SettingsCatalog(Map<String, Class<? extends Record>> records) {
        this.records = new LinkedHashMap<>(records);
        this.records.forEach((prefix, type) -> {
            for (RecordComponent component : type.getRecordComponents()) {
                SettingDeclaration declaration = SettingDeclaration.of(prefix, component);
                declarations.put(declaration.key(), declaration);
            }
        });
    }

    Optional<SettingDeclaration> declaration(String key) {
        return Optional.ofNullable(declarations.get(key));
    }

    Iterable<SettingDeclaration> declarations() {
        return declarations.values();
    }

    String prefixOf(Class<? extends Record> type) {
        return records.entrySet().stream()
                .filter(entry -> entry.getValue() == type)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(type + " is not in the catalog"));
    }

    List<SettingDeclaration> declarationsOf(Class<? extends Record> type) {
        String prefix = prefixOf(type);
        List<SettingDeclaration> found = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            found.add(SettingDeclaration.of(prefix, component));
        }
        return found;
    }

    boolean hasPrefix(String prefix) {
        return records.containsKey(prefix);
    }

    /** A sentence with the keys most like one that does not exist. */
    String nearest(String unknown) {
        return declarations.keySet().stream()
                .sorted(Comparator.comparingInt(key -> EditDistance.between(unknown, key)))
                .limit(SUGGESTIONS)
                .collect(Collectors.joining(", ", "did you mean one of ", "?"));
    }

    /** The reference, in Markdown. */
    public String reference() {
        StringBuilder out = new StringBuilder("# Settings\n\n")
                .append("Generated from the declarations; do not edit.\n\n")
                .append(
                        "A setting is looked up in the file `conf/node.properties`, then in the environment (`log.sync` is"
                                + " `DURAMEN_LOG_SYNC`), then among the `-D log.sync=…` of the command line; the last one found"
                                + " counts. Unknown keys are refused.\n");
        records.forEach((prefix, type) -> {
            out.append("\n## ")
                    .append(prefix)
                    .append("\n\n| key | value | default | bounds | meaning |\n|---|---|---|---|---|\n");
            for (SettingDeclaration each : declarationsOf(type)) {
                out.append("| `").append(each.key()).append("` | ");
                out.append(each.type().description()).append(" | ");
                out.append(each.defaultText().isEmpty() ? "" : "`" + each.defaultText() + "`")
                        .append(" | ");
                out.append(bounds(each))
                        .append(" | ")
                        .append(each.doc().replace("|", "\\|"))
                        .append(" |\n");
            }
        });
        return out.toString();
    }

    /** A properties file with every setting at its default, commented out. */
    public String sampleFile() {
        StringBuilder out =
                new StringBuilder("# Settings of a node. Generated from the declarations: every key stands at its"
                        + " default;\n# remove the # before a line to change it. See docs/settings.md.\n");
        records.forEach((prefix, type) -> {
            out.append("\n# ---- ").append(prefix).append(" ----\n");
            for (SettingDeclaration each : declarationsOf(type)) {
                String bounds = bounds(each);
                out.append("\n# ").append(each.doc()).append('\n');
                out.append("# (").append(each.type().description());
                out.append(bounds.isEmpty() ? "" : "; " + bounds).append(")\n");
                out.append('#')
                        .append(each.key())
                        .append('=')
                        .append(each.defaultText())
                        .append('\n');
            }
        });
        return out.toString();
    }

    private static String bounds(SettingDeclaration setting) {
        if (setting.min().isEmpty() && setting.max().isEmpty()) {
            return "";
        }
        if (setting.max().isEmpty()) {
            return "at least " + setting.min();
        }
        return setting.min().isEmpty() ? "at most " + setting.max() : setting.min() + " to " + setting.max();
    }
}
