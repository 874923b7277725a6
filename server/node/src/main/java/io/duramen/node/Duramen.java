package io.duramen.node;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.protocol.FormatLevel;
import io.duramen.runtime.settings.SettingsBinder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A node inside this JVM, for tests and for programs that bring their own server:
 *
 * <pre>
 *   try (Duramen node = Duramen.embedded().start();
 *           JMSContext context = node.connectionFactory().createContext()) { … }
 * </pre>
 *
 * Thread-safe once started.
 */
public final class Duramen implements AutoCloseable {
    private final RunningNode node;
    private final String localName;
    private final Optional<Path> temporary;

    private Duramen(RunningNode node, String localName, Optional<Path> temporary) {
        this.node = node;
        this.localName = localName;
        this.temporary = temporary;
    }

    public static Builder embedded() {
        return new Builder();
    }

    /** Connects inside this JVM, without a socket. */
    public DuramenConnectionFactory connectionFactory() {
        return new DuramenConnectionFactory("duramen+local://" + localName);
    }

    /** For clients of other processes: {@code duramen://HOST:PORT}. */
    public String url() {
        return "duramen://" + node.host() + ":" + node.port();
    }

    /** The TCP port. */
    public int port() {
        return node.port();
    }

    /** Ends the node cleanly, and deletes its data directory where that was a temporary one. */
    @Override
    public void close() {
        node.close();
        temporary.ifPresent(Duramen::delete);
    }

    private static void delete(Path directory) {
        try (Stream<Path> paths = Files.walk(directory)) {
            List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            org.slf4j.LoggerFactory.getLogger(Duramen.class)
                    .warn("Temporary data in {} stays: {}", directory, e.toString());
        }
    }

    /** Says what the node shall be like. Not thread-safe. */
    public static final class Builder {
        private final Map<String, String> settings = new LinkedHashMap<>();
        private Path data;
        private String localName = "duramen-" + UUID.randomUUID();
        private int formatMax = FormatLevel.NEWEST;

        private Builder() {
            settings.put("network.port", "0");
        }

        /** Keeps everything in this directory; without it in a temporary one that is deleted at the end. */
        public Builder dataDirectory(Path directory) {
            data = directory;
            return this;
        }

        /** Listens on this TCP port; without it on any that is free. */
        public Builder port(int port) {
            return setting("network.port", Integer.toString(port));
        }

        /** Can be reached by {@code duramen+local://NAME} from this JVM; without it by a name that nobody knows. */
        public Builder localName(String name) {
            localName = name;
            return this;
        }

        /** A setting by its key, as in {@code node.properties}. The environment is not looked at. */
        public Builder setting(String key, String value) {
            settings.put(key, value);
            return this;
        }

        /** As a node of a later version in a cluster, which reads format levels up to that. */
        Builder formatMax(int level) {
            formatMax = level;
            return this;
        }

        /**
         * Starts the node; returns when it serves clients.
         *
         * @throws io.duramen.runtime.settings.SettingsException where a setting is unknown or not allowed
         * @throws io.duramen.node.directory.DirectoryInUseException where another node runs on the directory
         * @throws IOException where data cannot be read or written, or the address cannot be bound
         */
        public Duramen start() throws IOException {
            Optional<Path> temporary =
                    data == null ? Optional.of(Files.createTempDirectory("duramen-")) : Optional.empty();
            if (temporary.isPresent()) {
                // Nothing of it will ever be recovered.
                settings.putIfAbsent("metadata.store", "file");
            }
            settings.put("node.data", temporary.orElse(data).toString());
            try {
                SettingsBinder binder = SettingsBinder.of(NodeSettings.catalog())
                        .overrides(settings)
                        .build();
                RunningNode node = RunningNode.start(NodeSettings.of(binder), Optional.of(localName), formatMax);
                return new Duramen(node, localName, temporary);
            } catch (IOException | RuntimeException e) {
                temporary.ifPresent(Duramen::delete);
                throw e;
            }
        }
    }
}
