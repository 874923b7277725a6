package io.duramen.node.cluster;

import io.duramen.log.LogConfig;
import io.duramen.node.directory.DataDirectory;
import io.duramen.node.network.NetworkConfig;
import io.duramen.runtime.settings.SettingsBinder;
import io.duramen.runtime.settings.SettingsCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Files of the nodes n1, n2 and n3 of a cluster. */
final class ClusterFiles {
    private static final SettingsCatalog CATALOG = new SettingsCatalog(
            Map.of("cluster", ClusterConfig.class, "network", NetworkConfig.class, "log", LogConfig.class));

    private ClusterFiles() {}

    /** As it is when a node starts on its directory. */
    static ClusterFile start(Path data, String name) throws IOException {
        SettingsBinder settings = SettingsBinder.of(CATALOG)
                .overrides(
                        Map.of("cluster.id", "test", "cluster.nodes", "n1@127.0.0.1:1,n2@127.0.0.1:2,n3@127.0.0.1:3"))
                .build();
        Membership membership = Membership.of(
                settings.bind(ClusterConfig.class),
                name,
                settings.bind(NetworkConfig.class),
                settings.bind(LogConfig.class));
        try (DataDirectory directory = DataDirectory.open(data.resolve(name))) {
            ClusterFile file = ClusterFile.open(directory, membership);
            file.keep();
            return file;
        }
    }
}
