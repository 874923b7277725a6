package io.duramen.jms.branch;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenXAConnectionFactory;
import io.duramen.jms.peer.ScriptedNode;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What a transaction manager asks of a node that plays its part as the test says. */
abstract class OnAScriptedNode {
    static final Xid ONE = xid(1);
    static final Xid TWO = xid(2);

    ScriptedNode node;
    XAConnection connection;
    XASession session;
    XAResource resource;

    private final String options;

    /** @param options of the client, as in a URL */
    OnAScriptedNode(String options) {
        this.options = options;
    }

    static Xid xid(int number) {
        return new NamedXid(4711, new byte[] {(byte) number}, new byte[0]);
    }

    @BeforeEach
    void connect() throws JMSException {
        node = ScriptedNode.start();
        connection = new DuramenXAConnectionFactory(node.url(options)).createXAConnection();
        session = connection.createXASession();
        resource = session.getXAResource();
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
        node.close();
    }

    void work(Xid xid) throws Exception {
        resource.start(xid, XAResource.TMNOFLAGS);
        session.createProducer(session.createQueue("out")).send(session.createTextMessage("x"));
        resource.end(xid, XAResource.TMSUCCESS);
    }

    /** Something that a transaction manager asks for. */
    interface Ask {
        void run() throws XAException;
    }

    /** @return the code of the XAException that the call throws; 0 for success */
    static int codeNow(Ask ask) {
        try {
            ask.run();
            return 0;
        } catch (XAException e) {
            return e.errorCode;
        }
    }

    static CompletableFuture<Integer> codeOf(Ask ask) {
        return CompletableFuture.supplyAsync(() -> codeNow(ask));
    }

    static void assertCode(int code, CompletableFuture<Integer> call) throws Exception {
        assertThat(call.get(10, TimeUnit.SECONDS)).isEqualTo(code);
    }
}
