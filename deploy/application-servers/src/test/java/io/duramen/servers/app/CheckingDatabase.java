package io.duramen.servers.app;

import java.io.PrintWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Logger;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.h2.jdbcx.JdbcDataSource;

/**
 * Any thread. H2 as a data source whose branches end as a test wants it once: refused when they prepare, as by databases that
 * check constraints only then; or with something done before they commit.
 */
public class CheckingDatabase implements XADataSource {
    private static final AtomicBoolean NEXT_REFUSED = new AtomicBoolean();
    private static final AtomicReference<Runnable> NEXT_COMMIT = new AtomicReference<>();

    private final JdbcDataSource database = new JdbcDataSource();

    public void setUrl(String url) {
        database.setURL(url);
    }

    public void setUser(String user) {
        database.setUser(user);
    }

    public void setPassword(String password) {
        database.setPassword(password);
    }

    @Override
    public PrintWriter getLogWriter() {
        return database.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) {
        database.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) {
        database.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() {
        return database.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    // ---- what a test wants -----------------------------------------------------------------------------------------

    /** The next branch does not prepare. */
    public static void refuseNext() {
        NEXT_REFUSED.set(true);
    }

    /** Is done when the next branch is told to commit, before it does. */
    public static void beforeNextCommit(Runnable action) {
        NEXT_COMMIT.set(action);
    }

    @Override
    public XAConnection getXAConnection() throws SQLException {
        return checking(database.getXAConnection());
    }

    @Override
    public XAConnection getXAConnection(String user, String password) throws SQLException {
        return checking(database.getXAConnection(user, password));
    }

    private static XAConnection checking(XAConnection connection) {
        return proxy(XAConnection.class, (self, method, arguments) -> {
            Object result = call(connection, method, arguments);
            return result instanceof XAResource resource ? checking(resource) : result;
        });
    }

    private static XAResource checking(XAResource resource) {
        return proxy(XAResource.class, (self, method, arguments) -> switch (method.getName()) {
            case "isSameRM" -> self == arguments[0];
            case "hashCode" -> System.identityHashCode(self);
            case "equals" -> self == arguments[0];
            case "prepare" -> {
                if (NEXT_REFUSED.getAndSet(false)) {
                    resource.rollback((Xid) arguments[0]);
                    throw new XAException(XAException.XA_RBINTEGRITY);
                }
                yield call(resource, method, arguments);
            }
            case "commit" -> {
                Runnable before = NEXT_COMMIT.getAndSet(null);
                if (before != null) {
                    before.run();
                }
                yield call(resource, method, arguments);
            }
            default -> call(resource, method, arguments);
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(CheckingDatabase.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** H2's exceptions have no code, which managers take for anything. */
    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof XAException failed && failed.errorCode == 0) {
                failed.errorCode = XAException.XAER_RMERR;
            }
            throw e.getCause();
        }
    }
}
