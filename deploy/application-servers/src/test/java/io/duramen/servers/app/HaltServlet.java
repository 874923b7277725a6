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
import jakarta.transaction.TransactionManager;
import java.io.IOException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** {@code halt?text=T} sends T to {@code halted}, and halts this JVM when the transaction is decided and nobody told. */
@WebServlet("/halt")
public class HaltServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final int EXIT = 1;

    @Resource(lookup = "java:/TransactionManager")
    private transient TransactionManager transactions;

    @Inject
    @JMSConnectionFactory("java:/jms/Duramen")
    private transient JMSContext context;

    /** Enlisted first, so that it is the first that is told to commit. */
    private static final class Halting implements XAResource {
        @Override
        public void commit(Xid xid, boolean onePhase) {
            Runtime.getRuntime().halt(EXIT);
        }

        @Override
        public int prepare(Xid xid) {
            return XA_OK;
        }

        @Override
        public void start(Xid xid, int flags) {}

        @Override
        public void end(Xid xid, int flags) {}

        @Override
        public void rollback(Xid xid) {}

        @Override
        public void forget(Xid xid) {}

        @Override
        public Xid[] recover(int flags) {
            return new Xid[0];
        }

        @Override
        public boolean isSameRM(XAResource other) {
            return other == this;
        }

        @Override
        public int getTransactionTimeout() {
            return 0;
        }

        @Override
        public boolean setTransactionTimeout(int seconds) {
            return false;
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String text = request.getParameter("text");
        if (text == null) {
            return; // only whether it is there was asked
        }
        try {
            transactions.begin();
            transactions.getTransaction().enlistResource(new Halting());
            context.createProducer().send(context.createQueue("halted"), text);
            transactions.commit();
        } catch (Exception e) {
            throw new ServletException(e);
        }
    }
}
