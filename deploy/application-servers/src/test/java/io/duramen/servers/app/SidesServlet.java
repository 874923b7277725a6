package io.duramen.servers.app;

import jakarta.annotation.Resource;
import jakarta.annotation.sql.DataSourceDefinition;
import jakarta.inject.Inject;
import jakarta.jms.JMSConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.UserTransaction;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * A transaction of which one side fails before it commits. {@code sides?name=N&fail=database} lets the database refuse
 * to prepare; {@code fail=URL} asks whoever is there to do something to the node. Answers how the transaction ended, and how
 * many rows of that name are in the database.
 */
@WebServlet("/sides")
@DataSourceDefinition(
        name = "java:app/sides",
        className = "io.duramen.servers.app.CheckingDatabase",
        url = SidesServlet.DATABASE,
        user = "sa",
        password = "")
public class SidesServlet extends HttpServlet {
    static final String DATABASE = "jdbc:h2:mem:sides;DB_CLOSE_DELAY=-1";
    private static final long serialVersionUID = 1L;

    @Resource(lookup = "java:app/sides")
    private transient DataSource database;

    @Resource
    private transient UserTransaction transaction;

    @Inject
    @JMSConnectionFactory("java:comp/env/jms/Duramen")
    private transient JMSContext context;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String name = request.getParameter("name");
        try (Connection beside = DriverManager.getConnection(DATABASE, "sa", "")) {
            execute(beside, "create table if not exists sides(name varchar)");
            transaction.begin();
            String end = work(name, request.getParameter("fail"));
            response.setContentType("text/plain");
            response.getWriter()
                    .print(end + " " + number(beside, "select count(*) from sides where name = '" + name + "'"));
        } catch (Exception e) {
            throw new ServletException(e);
        }
    }

    /** Method: the side that is to fail is the last that is asked to prepare; the other has, by then. */
    private String work(String name, String fail) throws Exception {
        if ("database".equals(fail)) {
            context.createProducer().send(context.createQueue("sides"), name);
            insert(name);
            CheckingDatabase.refuseNext();
        } else {
            insert(name);
            context.createProducer().send(context.createQueue("sides"), name);
            try (InputStream done = URI.create(fail).toURL().openStream()) {
                done.readAllBytes();
            }
        }
        try {
            transaction.commit();
            return "committed";
        } catch (RollbackException | HeuristicMixedException e) {
            log("as it should", e); // some managers say the latter while they cannot tell a side to roll back
            return "not committed";
        }
    }

    private void insert(String name) throws SQLException {
        try (Connection connection = database.getConnection()) {
            execute(connection, "insert into sides values('" + name + "')");
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getInt(1);
        }
    }
}
