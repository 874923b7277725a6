package io.duramen.cli;

import io.duramen.management.AlertsMXBean;
import io.duramen.management.BranchesMXBean;
import io.duramen.management.ClusterMXBean;
import io.duramen.management.ConnectionsMXBean;
import io.duramen.management.DeadLettersMXBean;
import io.duramen.management.DestinationsMXBean;
import io.duramen.management.MessagesMXBean;
import io.duramen.management.NodeMXBean;
import io.duramen.management.SubscriptionsMXBean;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The commands: one for each MXBean, in it one for each of its operations, so that none can be missing. */
public final class Main {
    /** As the node's own commands have it: the command line is wrong, or what it asks for fails. */
    private static final int USAGE = 64;

    private static final int FAILED = 70;

    private static final List<Class<?>> BEANS = List.of(
            AlertsMXBean.class,
            BranchesMXBean.class,
            ClusterMXBean.class,
            ConnectionsMXBean.class,
            DeadLettersMXBean.class,
            DestinationsMXBean.class,
            MessagesMXBean.class,
            NodeMXBean.class,
            SubscriptionsMXBean.class);

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        Access access = new Access();
        CommandLine root = new CommandLine(access);
        for (Class<?> bean : BEANS) {
            root.addSubcommand(command(bean, access));
        }
        root.addSubcommand(new TopCommand(access));
        root.addSubcommand("completion", new CommandLine(new AutoComplete.GenerateCompletion()));
        root.addSubcommand(new CommandLine.HelpCommand());
        root.setExecutionExceptionHandler((failure, command, parsed) -> {
            command.getErr().println(Access.reason(failure));
            return FAILED;
        });
        root.setParameterExceptionHandler((failure, arguments) -> {
            CommandLine command = failure.getCommandLine();
            command.getErr().println(failure.getMessage());
            command.getErr().println("See: " + command.getCommandSpec().qualifiedName() + " --help");
            return USAGE;
        });
        return root;
    }

    private static CommandLine command(Class<?> bean, Access access) {
        String name = bean.getSimpleName().replace("MXBean", "");
        CommandSpec spec = Attributes.command(bean, access).name(kebab(name)).mixinStandardHelpOptions(true);
        spec.usageMessage().description("Without an operation, what " + name + " shows.");
        CommandLine command = new CommandLine(spec);
        Arrays.stream(bean.getMethods())
                .filter(method -> !isGetter(method))
                .sorted(Comparator.comparing(Method::getName))
                .forEach(method -> command.addSubcommand(Operation.of(bean, method, access)));
        return command;
    }

    static boolean isGetter(Method method) {
        String name = method.getName();
        return method.getParameterCount() == 0 && (name.matches("get[A-Z].*") || name.matches("is[A-Z].*"));
    }

    /** {@code sendBack} as {@code send-back}. */
    static String kebab(String name) {
        return name.replaceAll("(?<=.)(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }
}
