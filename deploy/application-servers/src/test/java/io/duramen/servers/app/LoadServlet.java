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

/** {@code send?queue=Q&text=T} sends T to Q in a transaction; it has committed where the status is 200. */
@WebServlet("/send")
public class LoadServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Resource
    private transient UserTransaction transaction;

    @Inject
    @JMSConnectionFactory("java:comp/env/jms/Duramen")
    private transient JMSContext context;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws ServletException {
        try {
            transaction.begin();
            try {
                context.createProducer()
                        .send(context.createQueue(request.getParameter("queue")), request.getParameter("text"));
            } catch (RuntimeException e) {
                transaction.rollback();
                throw e;
            }
            transaction.commit();
        } catch (Exception e) {
            throw new ServletException(e);
        }
    }
}
