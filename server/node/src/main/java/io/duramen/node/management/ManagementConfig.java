package io.duramen.node.management;

import io.duramen.runtime.settings.Setting;
import java.time.Duration;

/** Settings under {@code management.}. */
public record ManagementConfig(
        @Setting(
                value = "true",
                doc = "Whether the node registers its MXBeans (io.duramen:type=…) with the JVM's MBean server. Who may"
                        + " reach that is the JVM's matter: by itself it opens no port.")
        boolean jmx,

        @Setting(
                value = "30s",
                min = "100ms",
                max = "10m",
                doc = "Longest time that an operation of a MXBean takes: it fails, or ends with part of the work done.")
        Duration timeout) {}
