package io.duramen.node;

import io.duramen.broker.BrokerConfig;
import io.duramen.broker.MetadataConfig;
import io.duramen.log.LogConfig;
import io.duramen.node.cluster.ClusterConfig;
import io.duramen.node.management.ManagementConfig;
import io.duramen.node.network.NetworkConfig;
import io.duramen.node.security.SecurityConfig;
import io.duramen.runtime.settings.SettingsBinder;
import io.duramen.runtime.settings.SettingsCatalog;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All settings of a node. Immutable.
 *
 * @param changed what differs from the defaults, as {@code key=value (where)}, for the log
 */
public record NodeSettings(
        NodeConfig node,
        NetworkConfig network,
        SecurityConfig security,
        LogConfig log,
        BrokerConfig broker,
        MetadataConfig metadata,
        ManagementConfig management,
        ClusterConfig cluster,
        List<String> changed) {
    /** Every setting there is, by prefix. */
    public static SettingsCatalog catalog() {
        Map<String, Class<? extends Record>> records = new LinkedHashMap<>();
        records.put("node", NodeConfig.class);
        records.put("network", NetworkConfig.class);
        records.put("security", SecurityConfig.class);
        records.put("log", LogConfig.class);
        records.put("broker", BrokerConfig.class);
        records.put("metadata", MetadataConfig.class);
        records.put("management", ManagementConfig.class);
        records.put("cluster", ClusterConfig.class);
        return new SettingsCatalog(records);
    }

    /** @throws io.duramen.runtime.settings.SettingsException where settings contradict each other */
    public static NodeSettings of(SettingsBinder binder) {
        return new NodeSettings(
                binder.bind(NodeConfig.class),
                binder.bind(NetworkConfig.class),
                binder.bind(SecurityConfig.class),
                binder.bind(LogConfig.class),
                binder.bind(BrokerConfig.class),
                binder.bind(MetadataConfig.class),
                binder.bind(ManagementConfig.class),
                binder.bind(ClusterConfig.class),
                binder.changed());
    }
}
