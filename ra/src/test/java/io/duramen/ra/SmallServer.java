package io.duramen.ra;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import io.duramen.ra.inbound.DuramenActivationSpec;
import io.duramen.ra.outbound.DuramenManagedConnectionFactory;
import jakarta.jms.ConnectionFactory;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.BootstrapContext;
import jakarta.resource.spi.ConnectionManager;
import jakarta.resource.spi.TransactionSupport.TransactionSupportLevel;
import jakarta.resource.spi.XATerminator;
import jakarta.resource.spi.work.ExecutionContext;
import jakarta.resource.spi.work.Work;
import jakarta.resource.spi.work.WorkContext;
import jakarta.resource.spi.work.WorkListener;
import jakarta.resource.spi.work.WorkManager;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Timer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jboss.jca.common.api.metadata.common.FlushStrategy;
import org.jboss.jca.core.api.connectionmanager.pool.PoolConfiguration;
import org.jboss.jca.core.connectionmanager.ConnectionManagerFactory;
import org.jboss.jca.core.connectionmanager.pool.api.Pool;
import org.jboss.jca.core.connectionmanager.pool.api.PoolFactory;
import org.jboss.jca.core.connectionmanager.pool.api.PoolStrategy;
import org.jboss.jca.core.connectionmanager.pool.mcp.SemaphoreConcurrentLinkedDequeManagedConnectionPool;
import org.jboss.jca.core.tx.jbossts.TransactionIntegrationImpl;

/** Thread-safe. What the adapter sees of an application server. */
final class SmallServer implements BootstrapContext, AutoCloseable {
    private static final long BLOCKING_MILLIS = 5_000;

    static final TransactionManager TRANSACTIONS = transactions();

    final DuramenResourceAdapter adapter = new DuramenResourceAdapter();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    SmallServer(String url) throws ResourceException {
        this(adapter -> adapter.setServerUrl(url));
    }

    SmallServer(Consumer<DuramenResourceAdapter> configuration) throws ResourceException {
        configuration.accept(adapter);
        adapter.start(this);
    }

    private static TransactionManager transactions() {
        try {
            String log = Files.createTempDirectory("transactions").toString();
            for (String store : new String[] {null, "communicationStore", "stateStore"}) {
                BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                        .setObjectStoreDir(log);
            }
            return com.arjuna.ats.jta.TransactionManager.transactionManager();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    // ---- pools -----------------------------------------------------------------------------------------------------

    /** A factory over IronJacamar's pool, whose connections take part in distributed transactions. */
    ConnectionFactory pool(DuramenManagedConnectionFactory factory, int connectionsMax) throws ResourceException {
        return pool(factory, connectionsMax, TransactionSupportLevel.XATransaction);
    }

    /** @param level at which the server has the adapter */
    ConnectionFactory pool(DuramenManagedConnectionFactory factory, int connectionsMax, TransactionSupportLevel level)
            throws ResourceException {
        factory.setResourceAdapter(adapter);
        PoolConfiguration configuration = new PoolConfiguration();
        configuration.setMaxSize(connectionsMax);
        configuration.setBlockingTimeout(BLOCKING_MILLIS);
        configuration.setValidateOnMatch(true);
        Pool pool = new PoolFactory()
                .create(
                        PoolStrategy.POOL_BY_CRI,
                        factory,
                        configuration,
                        false,
                        true,
                        SemaphoreConcurrentLinkedDequeManagedConnectionPool.class.getName());
        ConnectionManager manager = level == TransactionSupportLevel.NoTransaction
                ? new ConnectionManagerFactory()
                        .createNonTransactional(
                                level,
                                pool,
                                null,
                                null,
                                false,
                                null,
                                true,
                                true,
                                false,
                                null,
                                FlushStrategy.FAILING_CONNECTION_ONLY,
                                0,
                                0L)
                : transactional(level, pool);
        return (ConnectionFactory) factory.createConnectionFactory(manager);
    }

    private static ConnectionManager transactional(TransactionSupportLevel level, Pool pool) {
        TransactionSynchronizationRegistry registry = new TransactionSynchronizationRegistryImple();
        return new ConnectionManagerFactory()
                .createTransactional(
                        level,
                        pool,
                        null,
                        null,
                        false,
                        null,
                        true,
                        true,
                        false,
                        false,
                        null,
                        FlushStrategy.FAILING_CONNECTION_ONLY,
                        0,
                        0L,
                        new TransactionIntegrationImpl(TRANSACTIONS, registry, null, null, null),
                        false,
                        0,
                        null,
                        true,
                        true);
    }

    ConnectionFactory pool(int connectionsMax) throws ResourceException {
        return pool(new DuramenManagedConnectionFactory(), connectionsMax);
    }

    // ---- beans -----------------------------------------------------------------------------------------------------

    void deploy(Beans beans, DuramenActivationSpec spec) throws ResourceException {
        spec.setResourceAdapter(adapter);
        adapter.endpointActivation(beans, spec);
    }

    void undeploy(Beans beans, DuramenActivationSpec spec) {
        adapter.endpointDeactivation(beans, spec);
    }

    @Override
    public void close() {
        adapter.stop();
        threads.shutdownNow();
    }

    // ---- what the adapter asks for
    // -----------------------------------------------------------------------------------

    @Override
    public WorkManager getWorkManager() {
        return new WorkManager() {
            @Override
            public void doWork(Work work) {
                work.run();
            }

            @Override
            public void doWork(Work work, long timeout, ExecutionContext context, WorkListener listener) {
                work.run();
            }

            @Override
            public long startWork(Work work) {
                threads.execute(work);
                return 0;
            }

            @Override
            public long startWork(Work work, long timeout, ExecutionContext context, WorkListener listener) {
                return startWork(work);
            }

            @Override
            public void scheduleWork(Work work) {
                threads.execute(work);
            }

            @Override
            public void scheduleWork(Work work, long timeout, ExecutionContext context, WorkListener listener) {
                scheduleWork(work);
            }
        };
    }

    @Override
    public Timer createTimer() {
        return new Timer(true);
    }

    @Override
    public XATerminator getXATerminator() {
        return null;
    }

    @Override
    public TransactionSynchronizationRegistry getTransactionSynchronizationRegistry() {
        return null;
    }

    @Override
    public boolean isContextSupported(Class<? extends WorkContext> context) {
        return false;
    }
}
