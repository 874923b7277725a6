package io.duramen.runtime.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsBinderTest {
    enum Sync {
        ALWAYS,
        AT_INTERVAL
    }

    record LogSettings(
            @Setting(value = "always", doc = "When.") Sync sync,

            @Setting(value = "64MiB", min = "1MiB", max = "1GiB", doc = "Size.")
            Bytes segmentSize,

            @Setting(value = "20ms", max = "1s", doc = "Lazy | late.")
            Duration lazySyncInterval,

            @Setting(value = "data", doc = "Where.") Path directory) {}

    record NetSettings(
            @Setting(value = "7676", min = "0", max = "65535", doc = "Port.")
            int port,

            @Setting(value = "5", doc = "Long.") long total,
            @Setting(value = "true", doc = "Flag.") boolean open,
            @Setting(value = "", doc = "Pass.") Secret password,
            @Setting(value = "a, b", doc = "Names.") List<String> names,
            @Setting(value = "", doc = "Name.") String name) {
        NetSettings {
            if (name.equals("refused")) {
                throw new IllegalArgumentException("name and port do not agree");
            }
        }
    }

    private static final SettingsCatalog CATALOG = new SettingsCatalog(records());

    @TempDir
    Path directory;

    private static Map<String, Class<? extends Record>> records() {
        Map<String, Class<? extends Record>> records = new LinkedHashMap<>();
        records.put("log", LogSettings.class);
        records.put("net", NetSettings.class);
        return records;
    }

    @Test
    void shouldBindDefaultsWhenNothingIsSet() {
        SettingsBinder binder = SettingsBinder.of(CATALOG).build();
        assertThat(binder.bind(LogSettings.class))
                .isEqualTo(new LogSettings(Sync.ALWAYS, Bytes.ofMebi(64), Duration.ofMillis(20), Path.of("data")));
        NetSettings net = binder.bind(NetSettings.class);
        assertThat(net.names()).containsExactly("a", "b");
        assertThat(net.name()).isEmpty();
        assertThat(binder.changed()).isEmpty();
    }

    @Test
    void shouldLetTheLaterLayerWinWhenSeveralSetAKey() throws Exception {
        Path file = file("log.sync=at-interval\nlog.segment-size = 2MiB \nnet.port=1\nnet.password=hidden\n");
        SettingsBinder binder = SettingsBinder.of(CATALOG)
                .file(file)
                .environment(Map.of("DURAMEN_NET_PORT", "2", "DURAMEN_LOG_SEGMENT_SIZE", "4MiB", "DURAMEN_HOME", "x"))
                .overrides(Map.of("net.port", "3"))
                .build();
        LogSettings log = binder.bind(LogSettings.class);
        assertThat(log.sync()).isEqualTo(Sync.AT_INTERVAL);
        assertThat(log.segmentSize()).isEqualTo(Bytes.ofMebi(4));
        assertThat(binder.bind(NetSettings.class).port()).isEqualTo(3);
        assertThat(binder.bind(NetSettings.class).password().reveal()).isEqualTo("hidden");
        assertThat(binder.changed())
                .containsExactly(
                        "log.sync=at-interval (" + file + ")",
                        "log.segment-size=4MiB (environment)",
                        "net.port=3 (command line)",
                        "net.password=(secret) (" + file + ")");
    }

    @Test
    void shouldNameKeyPlaceAndNearestKeysWhenAKeyIsUnknown() throws Exception {
        Path file = file("log.segmentsize=2MiB\nfoo.bar=1\n");
        assertThatThrownBy(() -> SettingsBinder.of(CATALOG)
                        .file(file)
                        .environment(Map.of("DURAMEN_NET_PRT", "2"))
                        .overrides(Map.of("port", "3"))
                        .build())
                .isInstanceOfSatisfying(
                        SettingsException.class,
                        e -> assertThat(e.problems())
                                .hasSize(4)
                                .anySatisfy(line -> assertThat(line)
                                        .startsWith("log.segmentsize (" + file + "): no such setting")
                                        .contains("log.segment-size"))
                                .anySatisfy(line -> assertThat(line).startsWith("foo.bar"))
                                .anySatisfy(line -> assertThat(line)
                                        .startsWith("DURAMEN_NET_PRT (environment)")
                                        .contains("net.port"))
                                .anySatisfy(line -> assertThat(line).startsWith("port (command line)")));
    }

    @Test
    void shouldNameKeyValueAndLimitWhenAValueIsNotAllowed() {
        assertThatThrownBy(() -> SettingsBinder.of(CATALOG)
                        .overrides(Map.of(
                                "net.port", "65536",
                                "net.total", "many",
                                "net.open", "yes",
                                "log.segment-size", "1KiB",
                                "log.lazy-sync-interval", "2",
                                "log.sync", "never"))
                        .build())
                .isInstanceOfSatisfying(
                        SettingsException.class,
                        e -> assertThat(e.problems())
                                .containsExactlyInAnyOrder(
                                        "net.port (command line): '65536' is above the largest value allowed, 65535",
                                        "net.total (command line): 'many' is not a whole number",
                                        "net.open (command line): 'yes' is neither true nor false",
                                        "log.segment-size (command line): '1KiB' is below the smallest value allowed, 1MiB",
                                        "log.lazy-sync-interval (command line): '2' is not a duration such as 250ms, 2s, 5m, 1h"
                                                + " or 7d",
                                        "log.sync (command line): 'never' is not one of always, at-interval"));
    }

    @Test
    void shouldSayWhatTheRecordSaysWhenItRefusesItsValues() {
        SettingsBinder binder = SettingsBinder.of(CATALOG)
                .overrides(Map.of("net.name", "refused"))
                .build();
        assertThatThrownBy(() -> binder.bind(NetSettings.class))
                .isInstanceOf(SettingsException.class)
                .hasMessage("net.*: name and port do not agree");
    }

    @Test
    void shouldPrintEverySettingWhenAskedForReferenceAndSample() throws Exception {
        assertThat(CATALOG.reference())
                .contains(
                        "| `log.segment-size` | size such as 512, 64KiB, 1MiB, 2GiB | `64MiB` | 1MiB to 1GiB | Size. |")
                .contains("| `log.sync` | always, at-interval | `always` |  | When. |")
                .contains("Lazy \\| late.");
        Path file = file(CATALOG.sampleFile().replace("\n#log", "\nlog").replace("\n#net", "\nnet"));
        SettingsBinder binder = SettingsBinder.of(CATALOG).file(file).build();
        assertThat(binder.changed()).isEmpty();
    }

    @Test
    void shouldRefuseADeclarationWhenItsDefaultIsNotAllowed() {
        record Wrong(
                @Setting(value = "5", min = "6", doc = "") int five) {}
        assertThatThrownBy(() -> new SettingsCatalog(Map.of("wrong", Wrong.class)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("below");
    }

    private Path file(String content) throws Exception {
        return Files.writeString(directory.resolve("node.properties"), content);
    }
}
