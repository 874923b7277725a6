package io.duramen.cli;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Shows the attributes of an MXBean. Used by one thread. */
final class Attributes implements Callable<Integer> {
    private final Class<?> bean;
    private final Access access;

    private CommandSpec spec;

    private Attributes(Class<?> bean, Access access) {
        this.bean = bean;
        this.access = access;
    }

    /** As a command, to which those of the operations may be added. */
    static CommandSpec command(Class<?> bean, Access access) {
        Attributes attributes = new Attributes(bean, access);
        attributes.spec = CommandSpec.wrapWithoutInspection(attributes);
        return attributes.spec;
    }

    @Override
    public Integer call() throws Exception {
        Object proxy = access.bean(bean);
        Map<String, Object> shown = new TreeMap<>();
        for (Method method : bean.getMethods()) {
            if (Main.isGetter(method)) {
                Object value = method.invoke(proxy);
                shown.put(
                        method.getName().replaceFirst("^(get|is)", ""),
                        value instanceof Object[] array ? Arrays.asList(array) : value);
            }
        }
        Output.print(shown, access.isJson(), spec.commandLine().getOut());
        return CommandLine.ExitCode.OK;
    }
}
