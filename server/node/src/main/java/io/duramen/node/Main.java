package io.duramen.node;

import io.duramen.node.command.ExitCode;
import io.duramen.node.command.StopCommand;
import io.duramen.node.command.UserCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of {@code bin/duramen}. */
@Command(
        name = "duramen",
        description = "Duramen, a Jakarta Messaging server on a log.",
        subcommands = {
            StartCommand.class,
            StopCommand.class,
            UserCommand.class,
            MetadataCommand.class,
            CommandLine.HelpCommand.class
        },
        mixinStandardHelpOptions = true)
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec;

    private Main() {}

    public static void main(String[] arguments) {
        LogOutput.standardError();
        System.exit(execute(arguments));
    }

    static int execute(String... arguments) {
        return commandLine().execute(arguments);
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println(failure.getMessage() == null ? failure.toString() : failure.getMessage());
                    return failure instanceof java.io.IOException ? ExitCode.IO_ERROR : ExitCode.SOFTWARE;
                })
                .setParameterExceptionHandler(Main::usage);
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "Say what to do: start, stop, version, user, metadata or settings.");
    }

    @Command(name = "version", description = "Prints the version.", mixinStandardHelpOptions = true)
    int version() {
        spec.commandLine().getOut().println("Duramen " + Version.current());
        return ExitCode.OK;
    }

    @Command(name = "settings", description = "Prints every setting.", mixinStandardHelpOptions = true)
    int settings(
            @Option(names = "--sample", description = "Print a settings file with all defaults instead.")
                    boolean sample) {
        var catalog = NodeSettings.catalog();
        spec.commandLine().getOut().print(sample ? catalog.sampleFile() : catalog.reference());
        spec.commandLine().getOut().flush();
        return ExitCode.OK;
    }

    private static int usage(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        command.getErr().println(failure.getMessage());
        command.getErr().println("See: " + command.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE;
    }
}
