package io.duramen.node.management;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.security.Principal;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.security.auth.Subject;

/** Who calls an operation, as far as JMX tells. */
final class Caller {
    private static final Current CURRENT = current();

    private Caller() {}

    @FunctionalInterface
    private interface Current {
        Subject subject() throws IllegalAccessException, InvocationTargetException;
    }

    /** {@code USER from HOST}; a connector without authentication names no user, a call of this JVM no host. */
    static String name() {
        return shown() + " from " + host();
    }

    /** Name of the user; empty where none is known. */
    static Optional<String> user() {
        try {
            Subject subject = CURRENT.subject();
            return subject == null
                    ? Optional.empty()
                    : subject.getPrincipals().stream().map(Principal::getName).findFirst();
        } catch (IllegalAccessException | InvocationTargetException e) {
            return Optional.empty();
        }
    }

    private static String shown() {
        try {
            Subject subject = CURRENT.subject();
            if (subject != null && !subject.getPrincipals().isEmpty()) {
                return subject.getPrincipals().stream().map(Principal::getName).collect(Collectors.joining("+"));
            }
            return "(no user)";
        } catch (IllegalAccessException | InvocationTargetException e) {
            return "(user not known)";
        }
    }

    /** From which host somebody comes in whom no RMI connector knows; among the public credentials of a subject. */
    record FromHost(String host) {}

    static String host() {
        try {
            Subject subject = CURRENT.subject();
            if (subject != null) {
                for (FromHost from : subject.getPublicCredentials(FromHost.class)) {
                    return from.host;
                }
            }
        } catch (IllegalAccessException | InvocationTargetException e) {
            return "(host not known)";
        }
        try {
            return RemoteServer.getClientHost();
        } catch (ServerNotActiveException e) {
            return "this process";
        }
    }

    /** Java 18 has another way to ask, and 24 no longer the one of 17. */
    private static Current current() {
        try {
            try {
                Method current = Subject.class.getMethod("current");
                return () -> (Subject) current.invoke(null);
            } catch (NoSuchMethodException e) {
                Method context = Class.forName("java.security.AccessController").getMethod("getContext");
                Method subject = Subject.class.getMethod("getSubject", context.getReturnType());
                return () -> (Subject) subject.invoke(null, context.invoke(null));
            }
        } catch (ReflectiveOperationException e) {
            return () -> null;
        }
    }
}
