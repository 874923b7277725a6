package io.duramen.node.command;

import io.duramen.node.security.UsersFile;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes the users of a node; a node that runs takes notice at the next login. */
@Command(
        name = "user",
        description = "Adds, removes and lists the users of a node, which may be running.",
        mixinStandardHelpOptions = true)
public final class UserCommand {
    @Spec
    private CommandSpec spec;

    @Command(
            name = "add",
            description = "Adds a user or changes a password, which is asked for, or read from standard input.",
            mixinStandardHelpOptions = true)
    int add(
            @Parameters(paramLabel = "NAME", description = "The user's name.") String name,
            @Option(names = "--data", paramLabel = "DIR", required = true, description = "The node's data directory.")
                    Path data,
            @Option(
                            names = "--password-stdin",
                            description = "Read the password from the first line of standard input.")
                    boolean fromInput,
            @Option(
                            names = "--iterations",
                            paramLabel = "N",
                            defaultValue = "210000",
                            description = "Rounds of PBKDF2 (default: ${DEFAULT-VALUE}).")
                    int iterations)
            throws IOException {
        String password = fromInput || System.console() == null ? readLine() : prompt(System.console());
        try {
            new UsersFile(data).put(name, password, iterations);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
        spec.commandLine().getOut().println("User " + name + " can log in.");
        return ExitCode.OK;
    }

    @Command(name = "remove", description = "Removes a user.", mixinStandardHelpOptions = true)
    int remove(
            @Parameters(paramLabel = "NAME", description = "The user's name.") String name,
            @Option(names = "--data", paramLabel = "DIR", required = true, description = "The node's data directory.")
                    Path data)
            throws IOException {
        if (!new UsersFile(data).remove(name)) {
            spec.commandLine().getErr().println("There is no user " + name + ".");
            return ExitCode.USAGE;
        }
        spec.commandLine().getOut().println("User " + name + " cannot log in any more.");
        return ExitCode.OK;
    }

    @Command(name = "list", description = "Lists the users.", mixinStandardHelpOptions = true)
    int list(
            @Option(names = "--data", paramLabel = "DIR", required = true, description = "The node's data directory.")
                    Path data)
            throws IOException {
        new UsersFile(data).names().forEach(spec.commandLine().getOut()::println);
        return ExitCode.OK;
    }

    private String readLine() throws IOException {
        String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        return line == null ? "" : line;
    }

    private String prompt(Console console) {
        char[] first = console.readPassword("Password: ");
        char[] second = console.readPassword("Again: ");
        if (first == null || !Arrays.equals(first, second)) {
            throw new ParameterException(spec.commandLine(), "The two passwords differ.");
        }
        return new String(first);
    }
}
