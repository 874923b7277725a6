package io.duramen.ra;

import java.lang.reflect.Proxy;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.spi.InitialContextFactory;

/** Thread-safe. JNDI of a server, for tests that bind something. Public, since JNDI makes it by its name. */
public final class Names implements InitialContextFactory, AutoCloseable {
    private static final Map<String, Object> BOUND = new ConcurrentHashMap<>();

    /** It is the JNDI of this JVM until it is closed. */
    static Names open() {
        System.setProperty(Context.INITIAL_CONTEXT_FACTORY, Names.class.getName());
        return new Names();
    }

    void bind(String name, Object what) {
        BOUND.put(name, what);
    }

    @Override
    public Context getInitialContext(Hashtable<?, ?> environment) {
        return (Context) Proxy.newProxyInstance(
                Names.class.getClassLoader(), new Class<?>[] {Context.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("lookup")) {
                        return null;
                    }
                    Object found = BOUND.get(arguments[0].toString());
                    if (found == null) {
                        throw new NameNotFoundException(arguments[0].toString());
                    }
                    return found;
                });
    }

    @Override
    public void close() {
        System.clearProperty(Context.INITIAL_CONTEXT_FACTORY);
        BOUND.clear();
    }
}
