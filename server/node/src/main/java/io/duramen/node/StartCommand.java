package io.duramen.node;

import io.duramen.log.DamagedLogException;
import io.duramen.node.command.ExitCode;
import io.duramen.node.command.SettingsOptions;
import io.duramen.node.directory.DirectoryInUseException;
import io.duramen.runtime.settings.SettingsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a node until the process is asked to end. */
@Command(
        name = "start",
        description = "Runs a node in the foreground. It is ready once it prints 'Duramen VERSION ready on HOST:PORT';"
                + " SIGTERM or ^C ends it.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:ended by SIGTERM or ^C",
            "64:the command line is wrong",
            "65:the stored data is damaged; the message says where and what to do",
            "69:the address cannot be listened on",
            "70:an error in the node itself",
            "73:another node runs on the data directory",
            "74:a file cannot be read or written",
            "78:a setting is unknown or not allowed"
        },
        mixinStandardHelpOptions = true)
final class StartCommand implements Callable<Integer> {
    @Mixin
    private SettingsOptions options;

    @Option(names = "--port", paramLabel = "N", description = "TCP port, 0 for a free one; -D network.port=N.")
    private Integer port;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            RunningNode node = start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(node), "duramen-stop"));
            out.println("Duramen " + Version.current() + " ready on " + node.host() + ":" + node.port());
            out.flush();
            new CountDownLatch(1).await();
            return ExitCode.OK;
        } catch (SettingsException e) {
            e.problems().forEach(err::println);
            return ExitCode.CONFIG;
        } catch (DirectoryInUseException e) {
            err.println(e.getMessage());
            return ExitCode.IN_USE;
        } catch (BindException e) {
            err.println(e.getMessage());
            return ExitCode.UNAVAILABLE;
        } catch (IOException e) {
            err.println(e.getMessage() == null ? e.toString() : e.getMessage());
            return isDamage(e) ? ExitCode.DATA_DAMAGED : ExitCode.IO_ERROR;
        } catch (RuntimeException e) {
            LoggerFactory.getLogger(StartCommand.class).error("The node cannot start", e);
            return ExitCode.SOFTWARE;
        }
    }

    private RunningNode start() throws IOException {
        Map<String, String> more = new HashMap<>();
        if (port != null) {
            more.put("network.port", port.toString());
        }
        NodeSettings settings = NodeSettings.of(options.bind(NodeSettings.catalog(), more));
        if (!settings.node().logFile().isEmpty()) {
            LogOutput.alsoTo(settings.node().logFile());
        }
        return RunningNode.start(settings, Optional.empty());
    }

    /** Runs while the JVM ends; its exit code would be that of the signal, though the node ended as it was asked to. */
    private static void end(RunningNode node) {
        Logger log = LoggerFactory.getLogger(StartCommand.class);
        try {
            node.close();
            Runtime.getRuntime().halt(ExitCode.OK);
        } catch (RuntimeException | Error e) {
            log.error("The node did not end well", e);
            Runtime.getRuntime().halt(ExitCode.SOFTWARE);
        }
    }

    private static boolean isDamage(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof DamagedLogException) {
                return true;
            }
        }
        return false;
    }
}
