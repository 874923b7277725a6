package io.duramen.node;

import io.duramen.broker.MetadataConfig;
import io.duramen.metadata.ShardImage;
import io.duramen.metadata.h2.MetadataInspection;
import io.duramen.node.command.ExitCode;
import io.duramen.node.command.RowJson;
import io.duramen.node.command.SettingsOptions;
import io.duramen.node.directory.DataDirectory;
import io.duramen.node.directory.DirectoryInUseException;
import io.duramen.node.shard.Logs;
import io.duramen.node.shard.ShardHosts;
import io.duramen.node.shard.StateStore;
import io.duramen.node.shard.StateStores;
import io.duramen.runtime.SystemClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Looks after the metadata store of a node that does not run. */
@Command(
        name = "metadata",
        description = "Checks, prints or rebuilds the metadata store of a node that does not run. A node does by itself"
                + " what is needed: it checks the store when it starts, and rebuilds it where it is lost or damaged.",
        mixinStandardHelpOptions = true)
final class MetadataCommand {
    @Spec
    private CommandSpec spec;

    /** What is done with the store while no node can use the directory. */
    private interface Work {
        int on(MetadataInspection store, NodeSettings settings, DataDirectory directory) throws IOException;
    }

    @Command(
            name = "verify",
            description = "Reads the whole store and checks it.",
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:it is whole, or there is none", "65:it is damaged", "73:a node runs on the directory"},
            mixinStandardHelpOptions = true)
    int verify(@Mixin SettingsOptions options) throws IOException {
        return with(options, (store, settings, directory) -> {
            try {
                for (int shard = 0; shard < Math.max(1, directory.shards()); shard++) {
                    out().println(store.read(shard)
                            .map(MetadataCommand::summary)
                            .orElse("There is no state of shard " + shard + " in " + store.file() + "."));
                }
                return ExitCode.OK;
            } catch (IOException e) {
                err().println(store.file() + " is damaged: " + e.getMessage()
                        + ". The node rebuilds it when it starts; 'duramen metadata rebuild' does it now.");
                return ExitCode.DATA_DAMAGED;
            }
        });
    }

    private static String summary(ShardImage state) {
        return "Shard " + state.shard() + " as of log entry " + state.appliedIndex() + ": "
                + state.destinations().size() + " destinations, "
                + state.subscriptions().size() + " subscriptions, "
                + state.cursors().size() + " cursors, "
                + state.producers().size() + " producers. All rows match their checksums.";
    }

    @Command(
            name = "export",
            description = "Prints the store, one row a line, as JSON. Sets of settled messages are the portable form of"
                    + " Roaring bitmaps, in Base64.",
            mixinStandardHelpOptions = true)
    int export(@Mixin SettingsOptions options) throws IOException {
        return with(options, (store, settings, directory) -> {
            for (int shard = 0; shard < directory.shards(); shard++) {
                store.read(shard).ifPresent(image -> RowJson.print(image, out()));
            }
            out().flush();
            return ExitCode.OK;
        });
    }

    @Command(
            name = "rebuild",
            description = "Sets the store aside and makes it anew from the last image and the log behind it.",
            mixinStandardHelpOptions = true)
    int rebuild(@Mixin SettingsOptions options) throws IOException {
        return with(options, (store, settings, directory) -> {
            if (settings.metadata().store() == MetadataConfig.Store.FILE) {
                err().println(
                                "The settings say metadata.store=file: a node keeps its state in the image alone, and there is"
                                        + " nothing to rebuild. Nothing was changed.");
                return ExitCode.USAGE;
            }
            directory.requireNoCluster(); // A node of a cluster makes it anew when it is started.
            store.setAside();
            int shards = Math.max(1, directory.shards());
            new ShardHosts(
                            new ShardHosts.Floor(
                                    directory,
                                    settings.broker(),
                                    settings.log(),
                                    settings.metadata(),
                                    new SystemClock(),
                                    Logs.LOCAL),
                            StateStores.open(directory, settings.metadata(), shards))
                    .startAndClose();
            return verifyAfter(store, shards);
        });
    }

    private int verifyAfter(MetadataInspection store, int shards) throws IOException {
        for (int shard = 0; shard < shards; shard++) {
            out().println(store.read(shard).map(MetadataCommand::summary).orElse("The log holds no state."));
        }
        return ExitCode.OK;
    }

    private int with(SettingsOptions options, Work work) throws IOException {
        NodeSettings settings = NodeSettings.of(options.bind(NodeSettings.catalog(), Map.of()));
        try (DataDirectory directory = DataDirectory.open(settings.node().data())) {
            MetadataInspection store =
                    new MetadataInspection(directory.metadata(), StateStore.password(directory.metadata()));
            return work.on(store, settings, directory);
        } catch (DirectoryInUseException e) {
            err().println(e.getMessage());
            return ExitCode.IN_USE;
        }
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }
}
