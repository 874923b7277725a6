package io.duramen.node.command;

import io.duramen.node.directory.PidFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Ends the node that runs on a data directory. */
@Command(
        name = "stop",
        description = "Ends the node that runs on a data directory and waits for it.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the node has ended, or none ran",
            "64:the command line is wrong",
            "74:the node cannot be found or signalled",
            "75:the node still runs after the time given"
        },
        mixinStandardHelpOptions = true)
public final class StopCommand implements Callable<Integer> {
    @Option(names = "--data", paramLabel = "DIR", required = true, description = "The node's data directory.")
    private Path data;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long to wait (default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            switch (PidFile.stop(data, Duration.ofSeconds(timeoutSeconds))) {
                case STOPPED -> out.println("The node on " + data + " has stopped.");
                case NOT_RUNNING -> out.println("No node runs on " + data + ".");
                case STILL_RUNNING -> {
                    err.println("The node on " + data + " still runs after " + timeoutSeconds + " s.");
                    return ExitCode.STILL_RUNNING;
                }
            }
            return ExitCode.OK;
        } catch (IOException e) {
            err.println(e.getMessage());
            return ExitCode.IO_ERROR;
        }
    }
}
