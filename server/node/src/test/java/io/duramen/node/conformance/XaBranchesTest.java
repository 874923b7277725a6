package io.duramen.node.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenXAConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.TextMessage;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Branches of distributed transactions (11.3 and the XA specification, X/Open CAE C193). */
class XaBranchesTest extends OnANode {
    /** A name as a transaction manager makes it. */
    record TestXid(String global, String qualifier) implements Xid {
        @Override
        public int getFormatId() {
            return 4711;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return global.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] getBranchQualifier() {
            return qualifier.getBytes(StandardCharsets.UTF_8);
        }
    }

    private final Xid one = new TestXid(name("global"), "one");
    private final Xid two = new TestXid(name("global"), "");
    private XAConnection xa;
    private XASession own;
    private XAResource resource;

    @BeforeEach
    void connectForXa() throws JMSException {
        xa = new DuramenXAConnectionFactory(node.url()).createXAConnection();
        xa.start();
        own = xa.createXASession();
        resource = own.getXAResource();
    }

    @AfterEach
    void disconnectForXa() throws Exception {
        for (Xid left : recover(resource)) {
            resource.rollback(left);
        }
        xa.close();
    }

    private static List<Xid> recover(XAResource from) throws XAException {
        List<Xid> all = new ArrayList<>(Arrays.asList(from.recover(XAResource.TMSTARTRSCAN)));
        all.addAll(Arrays.asList(from.recover(XAResource.TMNOFLAGS)));
        all.addAll(Arrays.asList(from.recover(XAResource.TMENDRSCAN)));
        return all;
    }

    private List<String> recovered() throws XAException {
        return recover(resource).stream()
                .map(xid -> new String(xid.getGlobalTransactionId(), StandardCharsets.UTF_8)
                        + new String(xid.getBranchQualifier(), StandardCharsets.UTF_8))
                .toList();
    }

    private void sendInBranch(String text) throws JMSException {
        own.createProducer(queue).send(own.createTextMessage(text));
    }

    private String receiveWithXa() throws JMSException {
        try (MessageConsumer consumer = own.createConsumer(queue)) {
            return text(consumer.receive(PATIENCE));
        }
    }

    /** What another sees. */
    private List<String> left() throws JMSException {
        List<String> texts = new ArrayList<>();
        try (MessageConsumer consumer = session.createConsumer(queue)) {
            for (String text = text(consumer.receive(MOMENT)); text != null; text = text(consumer.receive(MOMENT))) {
                texts.add(text);
            }
        }
        return texts;
    }

    @Test
    void shouldGiveBackWhatABranchHeldWhenItsTimeIsOverAndNobodyEndsIt() throws Exception {
        send("m1");
        resource.setTransactionTimeout(1);
        resource.start(one, XAResource.TMNOFLAGS);
        assertThat(receiveWithXa()).isEqualTo("m1");
        resource.end(one, XAResource.TMSUCCESS);
        resource.setTransactionTimeout(0);
        try (MessageConsumer other = session.createConsumer(queue)) {
            String came = null;
            while (came == null) { // the manager goes on with others meanwhile
                resource.start(two, XAResource.TMNOFLAGS);
                resource.end(two, XAResource.TMSUCCESS);
                resource.rollback(two);
                came = text(other.receive(MOMENT));
            }
            assertThat(came).isEqualTo("m1");
        }
        assertCode(XAException.XA_RBTIMEOUT, () -> resource.prepare(one));
        assertCode(XAException.XAER_NOTA, () -> resource.prepare(one));
    }

    private static void assertCode(int code, ThrowingCallable call) {
        try {
            call.call();
        } catch (XAException e) {
            assertThat(e.errorCode).as(e.getMessage()).isEqualTo(code);
            return;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        throw new AssertionError("no XAException with code " + code);
    }

    @Test
    @Section({"6.2.8", "11.3.5"})
    void shouldSendAndReceiveInABranchOfTwoPhases() throws Exception {
        send("in");
        resource.start(one, XAResource.TMNOFLAGS);
        assertThat(receiveWithXa()).isEqualTo("in");
        sendInBranch("out");
        resource.end(one, XAResource.TMSUCCESS);
        assertThat(left()).isEmpty();
        assertThat(resource.prepare(one)).isEqualTo(XAResource.XA_OK);
        assertThat(left()).isEmpty();
        assertThat(recovered()).hasSize(1);
        resource.commit(one, false);
        assertThat(left()).containsExactly("out");
        assertThat(recovered()).isEmpty();
    }

    @Test
    @Section("11.3.5")
    void shouldCommitInOnePhase() throws Exception {
        send("in");
        resource.start(one, XAResource.TMNOFLAGS);
        assertThat(receiveWithXa()).isEqualTo("in");
        sendInBranch("out");
        resource.end(one, XAResource.TMSUCCESS);
        resource.commit(one, true);
        assertThat(left()).containsExactly("out");
        assertCode(XAException.XAER_NOTA, () -> resource.commit(one, true));
    }

    @Test
    @Section("11.3.5")
    void shouldBringEverythingBackWhenRolledBack() throws Exception {
        for (boolean prepared : new boolean[] {false, true}) {
            send("in", "next");
            try (MessageConsumer consumer = own.createConsumer(queue)) {
                resource.start(one, XAResource.TMNOFLAGS);
                assertThat(text(consumer.receive(PATIENCE))).isEqualTo("in");
                sendInBranch("out");
                resource.end(one, XAResource.TMSUCCESS);
                if (prepared) {
                    resource.prepare(one);
                }
                resource.rollback(one);
                resource.start(two, XAResource.TMNOFLAGS);
                TextMessage again = (TextMessage) consumer.receive(PATIENCE);
                assertThat(again.getText()).isEqualTo("in");
                assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
                TextMessage next = (TextMessage) consumer.receive(PATIENCE);
                assertThat(next.getText()).isEqualTo("next");
                assertThat(next.getJMSRedelivered()).isFalse();
                resource.end(two, XAResource.TMSUCCESS);
                resource.commit(two, true);
            }
            assertThat(left()).isEmpty();
        }
    }

    @Test
    void shouldSayReadOnlyWhenNothingWasDone() throws Exception {
        resource.start(one, XAResource.TMNOFLAGS);
        resource.end(one, XAResource.TMSUCCESS);
        assertThat(resource.prepare(one)).isEqualTo(XAResource.XA_RDONLY);
        assertCode(XAException.XAER_NOTA, () -> resource.commit(one, false));
    }

    @Test
    void shouldKeepInterleavedBranchesApart() throws Exception {
        send("a", "b", "c");
        try (MessageConsumer consumer = own.createConsumer(queue)) {
            resource.start(one, XAResource.TMNOFLAGS);
            assertThat(text(consumer.receive(PATIENCE))).isEqualTo("a");
            sendInBranch("of one");
            resource.end(one, XAResource.TMSUSPEND);
            resource.start(two, XAResource.TMNOFLAGS);
            assertThat(text(consumer.receive(PATIENCE))).isEqualTo("b");
            sendInBranch("of two");
            resource.end(two, XAResource.TMSUCCESS);
            assertCode(XAException.XAER_PROTO, () -> resource.prepare(one));
            resource.start(one, XAResource.TMRESUME);
            sendInBranch("of one again");
            resource.end(one, XAResource.TMSUCCESS);
            resource.commit(one, true);
            resource.rollback(two);
        }
        assertThat(left()).containsExactly("b", "c", "of one", "of one again");
    }

    @Test
    void shouldJoinTheSessionsOfAConnection() throws Exception {
        XASession other = xa.createXASession();
        XAResource second = other.getXAResource();
        assertThat(resource.isSameRM(second)).isTrue();
        resource.start(one, XAResource.TMNOFLAGS);
        sendInBranch("first");
        second.start(one, XAResource.TMJOIN);
        other.createProducer(queue).send(other.createTextMessage("second"));
        second.end(one, XAResource.TMSUCCESS);
        assertCode(XAException.XAER_PROTO, () -> second.prepare(one));
        resource.end(one, XAResource.TMSUCCESS);
        assertThat(second.prepare(one)).isEqualTo(XAResource.XA_OK);
        resource.commit(one, false);
        assertThat(left()).containsExactly("first", "second");
        try (XAConnection stranger = new DuramenXAConnectionFactory(node.url()).createXAConnection()) {
            assertThat(resource.isSameRM(stranger.createXASession().getXAResource()))
                    .isFalse();
        }
    }

    @Test
    void shouldRefuseWhatIsOutOfTurn() throws Exception {
        assertCode(XAException.XAER_INVAL, () -> resource.start(null, XAResource.TMNOFLAGS));
        assertCode(XAException.XAER_INVAL, () -> resource.start(one, XAResource.TMFAIL));
        assertCode(XAException.XAER_INVAL, () -> resource.start(new TestXid("", ""), XAResource.TMNOFLAGS));
        assertCode(XAException.XAER_INVAL, () -> resource.start(new TestXid("x".repeat(65), ""), XAResource.TMNOFLAGS));
        assertCode(XAException.XAER_INVAL, () -> resource.recover(XAResource.TMJOIN));
        assertCode(XAException.XAER_INVAL, () -> resource.setTransactionTimeout(-1));
        assertCode(XAException.XAER_NOTA, () -> resource.start(one, XAResource.TMJOIN));
        assertCode(XAException.XAER_NOTA, () -> resource.start(one, XAResource.TMRESUME));
        assertCode(XAException.XAER_NOTA, () -> resource.end(one, XAResource.TMSUCCESS));
        assertCode(XAException.XAER_NOTA, () -> resource.prepare(one));
        assertCode(XAException.XAER_NOTA, () -> resource.commit(one, false));
        assertCode(XAException.XAER_NOTA, () -> resource.rollback(one));
        assertCode(XAException.XAER_NOTA, () -> resource.forget(one));
        resource.start(one, XAResource.TMNOFLAGS);
        assertCode(XAException.XAER_PROTO, () -> resource.start(two, XAResource.TMNOFLAGS));
        assertCode(XAException.XAER_PROTO, () -> resource.prepare(one));
        assertCode(XAException.XAER_PROTO, () -> resource.rollback(one));
        assertCode(XAException.XAER_NOTA, () -> resource.end(two, XAResource.TMSUCCESS));
        resource.end(one, XAResource.TMSUCCESS);
        assertCode(XAException.XAER_DUPID, () -> resource.start(one, XAResource.TMNOFLAGS));
        assertCode(XAException.XAER_PROTO, () -> resource.start(one, XAResource.TMRESUME));
        assertCode(XAException.XAER_PROTO, () -> resource.commit(one, false));
        resource.rollback(one);
    }

    @Test
    void shouldOnlyRollBackWhatFailed() throws Exception {
        send("in");
        resource.start(one, XAResource.TMNOFLAGS);
        assertThat(receiveWithXa()).isEqualTo("in");
        sendInBranch("out");
        resource.end(one, XAResource.TMFAIL);
        assertCode(XAException.XA_RBROLLBACK, () -> resource.start(one, XAResource.TMJOIN));
        assertCode(XAException.XA_RBROLLBACK, () -> resource.prepare(one));
        assertThat(left()).containsExactly("in");
        assertThat(resource.setTransactionTimeout(60)).isTrue();
        assertThat(resource.getTransactionTimeout()).isEqualTo(60);
    }

    @Test
    void shouldGoOnOnceSessionAndConnectionAreClosed() throws Exception {
        send("in");
        resource.start(one, XAResource.TMNOFLAGS);
        assertThat(receiveWithXa()).isEqualTo("in");
        sendInBranch("out");
        resource.end(one, XAResource.TMSUCCESS);
        resource.prepare(one);
        own.close();
        xa.close();
        assertThat(left()).isEmpty();
        assertThat(recovered()).hasSize(1);
        resource.commit(recover(resource).get(0), false);
        assertThat(left()).containsExactly("out");
    }

    @Test
    void shouldRollBackWhatASessionHadWhenItIsClosedBeforeItIsPrepared() throws Exception {
        send("in");
        resource.start(one, XAResource.TMNOFLAGS);
        assertThat(receiveWithXa()).isEqualTo("in");
        sendInBranch("out");
        own.close();
        assertCode(XAException.XA_RBROLLBACK, () -> resource.prepare(one));
        assertThat(left()).containsExactly("in");
    }

    @Test
    @Section("11.3.5")
    void shouldAcknowledgeAsItGoesOutsideOfABranch() throws Exception {
        sendInBranch("m");
        assertThat(receiveWithXa()).isEqualTo("m");
        assertThat(left()).isEmpty();
    }
}
