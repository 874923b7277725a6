package io.duramen.node.management;

import io.duramen.runtime.settings.Bytes;
import io.duramen.runtime.settings.Secret;
import io.duramen.runtime.settings.Setting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Settings under {@code management.}. */
public record ManagementConfig(
        @Setting(
                value = "true",
                doc = "Whether the node registers its MXBeans (io.duramen:type=…) with the JVM's MBean server.")
        boolean jmx,

        @Setting(
                value = "30s",
                min = "100ms",
                max = "10m",
                doc = "Longest time that an operation of a MXBean takes: it fails, or ends with part of the work done.")
        Duration timeout,

        @Setting(
                value = "false",
                doc =
                        "Whether the node opens a port for remote JMX, with TLS, for users of the node that have a right to"
                                + " it. Needs management.key-store.")
        boolean remote,

        @Setting(value = "127.0.0.1", doc = "Address on which remote JMX listens, and which it tells to consoles.")
        String host,

        @Setting(value = "7677", min = "0", max = "65535", doc = "Port of remote JMX; 0 for any that is free.")
        int port,

        @Setting(
                value = "100",
                min = "2",
                max = "10000",
                doc =
                        "Most connections to remote JMX at a time, and as many of web consoles; at most half of them from one address; a console has one or two."
                                + " One by which nobody logs in ends after 30 seconds; one of a web console also after each request that is refused.")
        int connectionsMax,

        @Setting(
                value = "false",
                doc =
                        "Whether the node opens a port for web consoles (Jolokia's protocol), for users of the node that have a"
                                + " right to it. With TLS where management.key-store names a file, else on loopback alone.")
        boolean http,

        @Setting(value = "127.0.0.1", doc = "Address on which web consoles connect.")
        String httpHost,

        @Setting(value = "7678", min = "0", max = "65535", doc = "Port for web consoles; 0 for any that is free.")
        int httpPort,

        @Setting(
                value = "",
                doc =
                        "Origins, as https://console.example.org, whose pages may ask this node from a browser, besides its own.")
        List<String> httpOrigins,

        @Setting(value = "", doc = "PKCS#12 file with key and certificate of remote JMX and for web consoles.")
        Path keyStore,

        @Setting(value = "", doc = "Password of that file.") Secret keyStorePassword,

        @Setting(
                value = "",
                doc = "Users who may read attributes and lists through remote JMX; * stands for all users of the node.")
        List<String> viewers,

        @Setting(
                value = "",
                doc = "Users who may besides look at messages, send, move and copy them, pause and close what can go on"
                        + " afterwards.")
        List<String> operators,

        @Setting(
                value = "admin",
                doc = "Users who may besides do what cannot be undone: delete, purge, expire, seek, add partitions, end"
                        + " branches.")
        List<String> administrators,

        @Setting(
                value = "30s",
                min = "100ms",
                max = "1h",
                doc = "How often the node looks for what operators should know of.")
        Duration watchEvery,

        @Setting(
                value = "1GiB",
                doc = "An alert is raised while the disk of the data directory has less room than this; 0 for never.")
        Bytes diskLow,

        @Setting(
                value = "10m",
                min = "100ms",
                max = "30d",
                doc = "An alert is raised for a consumer that has held a message for this long.")
        Duration stuckAfter,

        @Setting(
                value = "10m",
                min = "100ms",
                max = "30d",
                doc = "An alert is raised for a branch that has been prepared for this long.")
        Duration inDoubtAfter,

        @Setting(
                value = "10",
                min = "1",
                max = "1000000000",
                doc = "An alert is raised where at least so many messages became dead letters between two looks.")
        int failingFrom) {
    /** @throws IllegalArgumentException where remote JMX is to be without TLS */
    public ManagementConfig {
        if (remote && keyStore.toString().isEmpty()) {
            throw new IllegalArgumentException(
                    "management.remote is true, and management.key-store names no file: remote JMX is never without TLS");
        }
    }
}
