package io.duramen.servers.app;

import jakarta.annotation.Resource;
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
 * {@code halt?text=T} puts T into a database and sends it to {@code halted}, and when both have prepared and nobody is told
 * to commit yet, halts this JVM or, with {@code &pid=N}, another process. {@code halt} tells how many rows there are.
 */
@WebServlet("/halt")
public class HaltServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final int EXIT = 1;

    @Resource(name = "jdbc/halted")
    private transient DataSource database;

    @Resource
    private transient UserTransaction transaction;

    @Inject
    @JMSConnectionFactory("java:comp/env/jms/Duramen")
    private transient JMSContext context;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String text = request.getParameter("text");
        String pid = request.getParameter("pid");
        try {
            if (text != null) {
                work(text, pid == null ? () -> Runtime.getRuntime().halt(EXIT) : () -> kill(Long.parseLong(pid)));
            }
            response.setContentType("text/plain");
            response.getWriter().print(rows());
        } catch (Exception e) {
            throw new ServletException(e);
        }
    }

    private static void kill(long pid) {
        ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Method: the database, enlisted first, is the first that is told to commit. */
    private void work(String text, Runnable halt) throws Exception {
        rows();
        transaction.begin();
        execute("insert into halted values('" + text + "')");
        context.createProducer().send(context.createQueue("halted"), text);
        CheckingDatabase.beforeNextCommit(halt);
        transaction.commit();
    }

    private int rows() throws SQLException {
        execute("create table if not exists halted(text varchar)");
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select count(*) from halted")) {
            result.next();
            return result.getInt(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
