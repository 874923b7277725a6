package io.duramen.node.command;

import io.duramen.runtime.settings.SettingsBinder;
import io.duramen.runtime.settings.SettingsCatalog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say where settings come from. */
public final class SettingsOptions {
    /** System property with the folder of the distribution, set by its start script. */
    private static final String HOME = "duramen.home";

    @Option(names = "--data", paramLabel = "DIR", description = "Data directory; the same as -D node.data=DIR.")
    private Path data;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Settings file; conf/node.properties of the distribution unless given.")
    private Path config;

    @Option(names = "-D", paramLabel = "KEY=VALUE", description = "A setting; may be repeated.")
    private final Map<String, String> overrides = new LinkedHashMap<>();

    /**
     * @param more settings by options of the command, stronger than all others
     * @throws io.duramen.runtime.settings.SettingsException naming all that is wrong
     */
    public SettingsBinder bind(SettingsCatalog catalog, Map<String, String> more) {
        SettingsBinder.Builder layers = SettingsBinder.of(catalog);
        file().ifPresent(layers::file);
        Map<String, String> all = new LinkedHashMap<>(overrides);
        if (data != null) {
            all.put("node.data", data.toString());
        }
        all.putAll(more);
        return layers.environment(System.getenv()).overrides(all).build();
    }

    private Optional<Path> file() {
        if (config != null) {
            return Optional.of(config);
        }
        String home = System.getProperty(HOME);
        return Optional.ofNullable(home)
                .map(folder -> Path.of(folder, "conf", "node.properties"))
                .filter(Files::exists);
    }
}
