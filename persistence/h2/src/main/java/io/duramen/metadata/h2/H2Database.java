package io.duramen.metadata.h2;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.h2.jdbcx.JdbcDataSource;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.Transaction;
import org.hibernate.cfg.Configuration;

/** An open database. Embedded: one file, no server, no console, a URL of its own making. Confined to one thread. */
final class H2Database implements AutoCloseable {
    private static final String USER = "DURAMEN";
    private static final String MIGRATIONS = "io/duramen/metadata/h2/migration";

    /** The last of the migrations: where the schema is there already, the migrating need not start. */
    static final String SCHEMA_VERSION = "1";

    private static final String OPTIONS =
            ";DB_CLOSE_ON_EXIT=FALSE;TRACE_LEVEL_FILE=0;TRACE_LEVEL_SYSTEM_OUT=0;CACHE_SIZE=8192;LOCK_TIMEOUT=10000";

    private static final List<Class<?>> ENTITIES = List.of(
            StateRow.class,
            DestinationEntity.class,
            PartitionEntity.class,
            SubscriptionEntity.class,
            CursorEntity.class,
            ProducerEntity.class,
            OpenBodyEntity.class,
            BranchEntity.class,
            FactEntity.class,
            PinsEntity.class,
            PinsEntity.class,
            DedupEntity.class);

    private final HikariDataSource pool;

    /** Made when first written: it takes longer than all else that a start does. */
    private SessionFactory sessions;

    private H2Database(HikariDataSource pool) {
        this.pool = pool;
    }

    /**
     * Opens it, and brings its schema up to date.
     *
     * @throws RuntimeException where it cannot be opened, of whatever kind the libraries choose
     */
    static H2Database open(DatabaseFiles files, String password) throws SQLException {
        HikariDataSource pool = new HikariDataSource(pool(files, password));
        try {
            if (!SCHEMA_VERSION.equals(schemaVersion(pool))) {
                migrate(pool);
            }
            return new H2Database(pool);
        } catch (RuntimeException | SQLException e) {
            pool.close();
            throw e;
        }
    }

    private static HikariConfig pool(DatabaseFiles files, String password) {
        String path = files.base().toString();
        if (path.indexOf(';') >= 0) {
            throw new IllegalArgumentException("the path " + path + " holds a semicolon, which H2 cannot open");
        }
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:file:" + path + OPTIONS);
        database.setUser(USER);
        database.setPassword(password);
        HikariConfig config = new HikariConfig();
        config.setPoolName("metadata");
        config.setDataSource(database);
        config.setAutoCommit(false);
        config.setMaximumPoolSize(2);
        config.setMinimumIdle(1);
        config.setMaxLifetime(0);
        return config;
    }

    private static String schemaVersion(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection()) {
            try (ResultSet tables = connection.getMetaData().getTables(null, "PUBLIC", "flyway_schema_history", null)) {
                if (!tables.next()) {
                    return "none";
                }
            }
            try (var statement = connection.createStatement();
                    ResultSet version =
                            statement.executeQuery("select \"version\" from \"flyway_schema_history\" where \"success\""
                                    + " order by \"installed_rank\" desc fetch first row only")) {
                return version.next() ? version.getString(1) : "none";
            } finally {
                connection.rollback();
            }
        }
    }

    private static void migrate(DataSource database) {
        Flyway.configure(H2Database.class.getClassLoader())
                .dataSource(database)
                .locations("classpath:" + MIGRATIONS)
                .loggers("slf4j")
                .load()
                .migrate();
    }

    /** Without all that a start would be slower by: scanning, XML, validation, caches. */
    private static SessionFactory sessions(DataSource database) {
        Configuration configuration = new Configuration();
        ENTITIES.forEach(configuration::addAnnotatedClass);
        configuration.getProperties().put("hibernate.connection.datasource", database);
        configuration.setProperty("jakarta.persistence.database-product-name", "H2");
        configuration.setProperty("jakarta.persistence.database-major-version", "2");
        configuration.setProperty("jakarta.persistence.database-minor-version", "4");
        configuration.setProperty("hibernate.boot.allow_jdbc_metadata_access", "false");
        configuration.setProperty("hibernate.connection.provider_disables_autocommit", "true");
        configuration.setProperty("hibernate.xml_mapping_enabled", "false");
        configuration.setProperty("jakarta.persistence.validation.mode", "none");
        configuration.setProperty("hibernate.cache.use_second_level_cache", "false");
        configuration.setProperty("hibernate.cache.use_query_cache", "false");
        configuration.setProperty("hibernate.jpa.metamodel.population", "disabled");
        configuration.setProperty("hibernate.query.startup_check", "false");
        configuration.setProperty("hibernate.bytecode.use_reflection_optimizer", "false");
        return configuration.buildSessionFactory();
    }

    /** Reads a shard's rows, all of one moment. */
    ShardReading read(int shard) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            try {
                return ShardReading.of(shard, connection);
            } finally {
                connection.rollback();
            }
        }
    }

    /** Writes all of it in one transaction, or, where it throws, nothing. */
    void write(Consumer<StatelessSession> work) {
        if (sessions == null) {
            sessions = sessions(pool);
        }
        try (StatelessSession session = sessions.openStatelessSession()) {
            Transaction transaction = session.beginTransaction();
            try {
                work.accept(session);
                transaction.commit();
            } catch (RuntimeException e) {
                rollBack(transaction, e);
                throw e;
            }
        }
    }

    private static void rollBack(Transaction transaction, RuntimeException cause) {
        try {
            if (transaction.isActive()) {
                transaction.rollback();
            }
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        if (sessions != null) {
            sessions.close();
        }
        pool.close();
    }
}
