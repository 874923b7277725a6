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
import jakarta.transaction.UserTransaction;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * {@code orders?name=N&end=commit} places an order in a database and sends it to {@code orders}, in one transaction, which
 * it ends as asked; {@code orders} tells how many are in the database.
 */
@WebServlet("/orders")
@DataSourceDefinition(
        name = "java:app/orders",
        className = "org.h2.jdbcx.JdbcDataSource",
        url = "jdbc:h2:mem:orders;DB_CLOSE_DELAY=-1",
        user = "sa",
        password = "")
public class OrdersServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Resource(lookup = "java:app/orders")
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
        try {
            if (name != null) {
                place(name, request.getParameter("end"));
            }
            response.setContentType("text/plain");
            response.getWriter().print(placed());
        } catch (Exception e) {
            throw new ServletException(e);
        }
    }

    private void place(String name, String end) throws Exception {
        transaction.begin();
        execute("create table if not exists placed(name varchar primary key)");
        execute("insert into placed values('" + name.replace("'", "''") + "')");
        context.createProducer().send(context.createQueue("orders"), name);
        if ("commit".equals(end)) {
            transaction.commit();
        } else {
            transaction.rollback();
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private int placed() throws SQLException {
        execute("create table if not exists placed(name varchar primary key)");
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select count(*) from placed")) {
            result.next();
            return result.getInt(1);
        }
    }
}
