package io.duramen.node;

import io.duramen.runtime.settings.Setting;
import java.nio.file.Path;

/** Settings under {@code node.}. */
public record NodeConfig(
        @Setting(value = "duramen", doc = "The node's name, told to clients.")
        String name,

        @Setting(
                value = "duramen-data",
                doc = "Directory for everything the node keeps; --data on the command line sets it.")
        Path data,

        @Setting(
                value = "",
                doc = "File to write the node's log to, beside standard error; a new one is begun each day and"
                        + " two weeks are kept. Empty for none.")
        String logFile) {}
