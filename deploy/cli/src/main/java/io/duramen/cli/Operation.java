package io.duramen.cli;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * An operation of an MXBean as a command: what names something is an argument, in the operation's order; what may be left out
 * is an option. Used by one thread.
 */
final class Operation implements Callable<Integer> {
    /** Parameters that may be left out, and what they are then. */
    private static final Map<String, String> OPTIONAL = Map.of(
            "pattern", "",
            "topicPattern", "",
            "clientId", "",
            "selector", "",
            "origin", "",
            "limit", "100",
            "partitions", "0",
            "priority", "4",
            "timeToLiveMillis", "0");

    private final Class<?> bean;
    private final Method method;
    private final Access access;
    private final List<Supplier<Object>> arguments = new ArrayList<>();
    private CommandSpec spec;

    private Operation(Class<?> bean, Method method, Access access) {
        this.bean = bean;
        this.method = method;
        this.access = access;
    }

    static CommandLine of(Class<?> bean, Method method, Access access) {
        Operation operation = new Operation(bean, method, access);
        operation.spec = CommandSpec.wrapWithoutInspection(operation)
                .name(Main.kebab(method.getName()))
                .mixinStandardHelpOptions(true);
        operation
                .spec
                .usageMessage()
                .description("Calls " + method.getName() + " of " + bean.getSimpleName() + "; see docs/management.md.");
        int index = 0;
        for (Parameter parameter : method.getParameters()) {
            ArgSpec argument = argument(parameter, index);
            index += argument.isPositional() ? 1 : 0;
            operation.spec.add(argument);
            operation.arguments.add(argument::getValue);
        }
        return new CommandLine(operation.spec);
    }

    private static ArgSpec argument(Parameter parameter, int index) {
        String name = parameter.getName();
        if (parameter.getType() == Map.class) {
            return OptionSpec.builder("--property")
                    .paramLabel("NAME=VALUE")
                    .type(Map.class)
                    .auxiliaryTypes(String.class, String.class)
                    .description("A property; may be given several times.")
                    .build();
        }
        boolean numbered = parameter.getType() != String.class && name.equals("after");
        String otherwise = name.equals("after") ? numbered ? "0" : "" : OPTIONAL.get(name);
        if (otherwise != null) {
            return OptionSpec.builder("--" + Main.kebab(name))
                    .paramLabel(label(name))
                    .type(parameter.getType())
                    .defaultValue(otherwise)
                    .description(otherwise.isEmpty() ? "Nothing if left out." : "Default: " + otherwise + ".")
                    .build();
        }
        return PositionalParamSpec.builder()
                .index(String.valueOf(index))
                .paramLabel(label(name))
                .type(parameter.getType())
                .required(true)
                .build();
    }

    private static String label(String name) {
        return Main.kebab(name).toUpperCase(Locale.ROOT);
    }

    @Override
    public Integer call() throws Exception {
        Object[] values = new Object[arguments.size()];
        for (int i = 0; i < values.length; i++) {
            Object value = arguments.get(i).get();
            values[i] = value == null && method.getParameterTypes()[i] == Map.class ? Map.of() : value;
        }
        Object answer;
        try {
            answer = method.invoke(access.bean(bean), values);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
        Output.print(answer, access.isJson(), spec.commandLine().getOut());
        return CommandLine.ExitCode.OK;
    }
}
