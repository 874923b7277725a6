package io.duramen.node.management;

import io.duramen.management.ManagementNames;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.MBeanServer;
import javax.management.MBeanServerDelegate;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectInstance;
import javax.management.ObjectName;
import javax.management.QueryExp;
import javax.management.loading.ClassLoaderRepository;
import javax.management.remote.MBeanServerForwarder;

/**
 * The door of the remote connector: lets through what a user has a right to, of this node's MXBeans alone, and nothing else of
 * what an MBean server can do. What is not named here is refused. Thread-safe.
 */
final class GuardedServer implements InvocationHandler {
    private static final Set<String> READS = Set.of(
            "getAttribute", "getAttributes", "getMBeanInfo", "isInstanceOf", "isRegistered", "getObjectInstance");

    private static final Set<String> ABOUT_ALL = Set.of("getDefaultDomain", "getDomains", "getMBeanCount");

    /** What the connector itself asks, in nobody's name, so that notifications can be had. */
    private static final Set<String> FOR_NOTIFICATIONS =
            Set.of("queryNames", "isInstanceOf", "addNotificationListener", "removeNotificationListener");

    private final ManagementConfig config;
    private final Audit audit;
    private final ObjectName pattern;
    private volatile MBeanServer server;

    private GuardedServer(ManagementConfig config, Audit audit, ObjectName pattern) {
        this.config = config;
        this.audit = audit;
        this.pattern = pattern;
    }

    /** @param pattern of the names of this node's MXBeans */
    static MBeanServerForwarder of(ManagementConfig config, Audit audit, ObjectName pattern) {
        return (MBeanServerForwarder) Proxy.newProxyInstance(
                GuardedServer.class.getClassLoader(),
                new Class<?>[] {MBeanServerForwarder.class},
                new GuardedServer(config, audit, pattern));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        if (method.getDeclaringClass() == Object.class) {
            return pass(this, method, arguments);
        }
        switch (name) {
            case "setMBeanServer" -> {
                server = (MBeanServer) arguments[0];
                return null;
            }
            case "getMBeanServer" -> {
                return server;
            }
            case "getClassLoaderFor", "getClassLoader" -> {
                // Asked by the connector itself, to read arguments: of its own classes alone.
                return GuardedServer.class.getClassLoader();
            }
            case "getClassLoaderRepository" -> {
                return new NoClasses();
            }
            default -> {
                return guarded(name, method, arguments);
            }
        }
    }

    /** No MBean is asked for classes. */
    private static final class NoClasses implements ClassLoaderRepository {
        @Override
        public Class<?> loadClass(String className) throws ClassNotFoundException {
            throw new ClassNotFoundException(className);
        }

        @Override
        public Class<?> loadClassWithout(ClassLoader exclude, String className) throws ClassNotFoundException {
            throw new ClassNotFoundException(className);
        }

        @Override
        public Class<?> loadClassBefore(ClassLoader stop, String className) throws ClassNotFoundException {
            throw new ClassNotFoundException(className);
        }
    }

    private Object guarded(String name, Method method, Object[] arguments) throws Throwable {
        Optional<String> user = Caller.user();
        if (user.isPresent()) {
            ConsoleSockets.ofUser();
        }
        Optional<Right> right = user.isPresent()
                ? Right.of(config, user.get())
                : FOR_NOTIFICATIONS.contains(name) ? Optional.of(Right.VIEW) : Optional.empty();
        if (right.isEmpty()) {
            throw refusal(name, "the user has no right to management");
        }
        if (ABOUT_ALL.contains(name)) {
            return pass(server, method, arguments);
        }
        if (name.equals("queryNames") || name.equals("queryMBeans")) {
            return query(name, (ObjectName) arguments[0], (QueryExp) arguments[1]);
        }
        if (arguments == null || arguments.length == 0 || !(arguments[0] instanceof ObjectName bean)) {
            throw refusal(name, "remote JMX does not do that");
        }
        boolean delegate = bean.equals(MBeanServerDelegate.DELEGATE_NAME);
        if (!delegate && !pattern.apply(bean)) {
            throw refusal(name + " of " + bean, "it is no MXBean of this node");
        }
        if (READS.contains(name) || isListening(name, arguments)) {
            return pass(server, method, arguments);
        }
        if (!name.equals("invoke") || delegate) {
            throw refusal(name + " of " + bean, "remote JMX does not do that");
        }
        String operation = bean.getKeyProperty("type") + "." + arguments[1];
        Optional<Right> needed = Right.neededFor(bean.getKeyProperty("type"), (String) arguments[1]);
        if (needed.isEmpty() || right.get().compareTo(needed.get()) < 0) {
            throw refusal(
                    operation,
                    needed.map(missing -> "it needs the right " + missing).orElse("there is no such operation"));
        }
        return pass(server, method, arguments);
    }

    /** By the connector's own listener, never by an MBean that is named. */
    private static boolean isListening(String name, Object[] arguments) {
        return (name.equals("addNotificationListener") || name.equals("removeNotificationListener"))
                && !(arguments[1] instanceof ObjectName);
    }

    /** Of this node's MXBeans. An expression is the connector's own: the filter lets none in from outside. */
    private Set<?> query(String name, ObjectName wanted, QueryExp expression) {
        if (name.equals("queryNames")) {
            return server.queryNames(wanted, expression).stream()
                    .filter(pattern::apply)
                    .collect(Collectors.toSet());
        }
        Set<ObjectInstance> all = server.queryMBeans(wanted, expression);
        return all.stream().filter(one -> pattern.apply(one.getObjectName())).collect(Collectors.toSet());
    }

    private SecurityException refusal(String what, String why) {
        audit.refused(Caller.name(), what, why);
        return new SecurityException(what + ": " + why);
    }

    private static Object pass(Object to, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(to, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Names of a node's MXBeans. */
    static ObjectName pattern(ObjectName nodeBean) {
        try {
            return new ObjectName(ManagementNames.DOMAIN + ":node=" + nodeBean.getKeyProperty("node") + ",*");
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
