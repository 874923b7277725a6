package io.duramen.jms.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.peer.ScriptedNode;
import io.duramen.jms.peer.Wires;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Browse;
import io.duramen.protocol.frame.Deliver;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the API documentation of jakarta.jms.QueueBrowser asks for, and what ours adds. */
@Timeout(30)
class BrowsingTest {
    private ScriptedNode node;
    private Connection connection;
    private Session session;

    @BeforeEach
    void start() throws JMSException {
        node = ScriptedNode.start();
        connection = new DuramenConnectionFactory(node.url()).createConnection();
        session = connection.createSession();
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
        node.close();
    }

    private static Browse.Response page(long next, long end, String... texts) {
        Browse.Place place = new Browse.Place(Browse.ANY_PRIORITY, 0, next);
        if (texts.length == 0) {
            return new Browse.Response(end, 77, place, next >= end, 0, ByteBuffer.allocate(0));
        }
        Attach.Request anyone = new Attach.Request(0, 1, "orders", null, null, "", "", false, "", List.of());
        Deliver.Push deliver = Wires.deliver(anyone, next - texts.length, texts);
        return new Browse.Response(end, 77, place, next >= end, deliver.count(), deliver.deliveries());
    }

    private void answers(long end, String... texts) {
        node.politely(Browse.Request.class, request -> {
            long view = request.end() == Browse.NOW ? end : request.end();
            int from = (int) request.place().offset();
            if (request.messagesMax() == 0 || from == 1) {
                return page(from == 1 ? 2 : 0, view); // a page may be empty without being the last
            }
            return page(from + 1, view, texts[from]);
        });
    }

    private static List<String> read(Enumeration<?> messages) throws JMSException {
        List<String> texts = new ArrayList<>();
        while (messages.hasMoreElements()) {
            texts.add(((Message) messages.nextElement()).getBody(String.class));
        }
        return texts;
    }

    @Test
    void shouldReadTheViewPageByPageWithoutStartingTheConnection() throws JMSException {
        answers(4, "a", "-", "c", "d");
        QueueBrowser browser = session.createBrowser(session.createQueue("orders"));
        Enumeration<?> messages = browser.getEnumeration();
        assertThat(read(messages)).containsExactly("a", "c", "d");
        assertThatThrownBy(messages::nextElement).isInstanceOf(NoSuchElementException.class);
        assertThat(node.handled(Browse.Request.class))
                .allSatisfy(request -> assertThat(request.end()).isIn(4L, Browse.NOW))
                .filteredOn(request -> request.messagesMax() > 0)
                .allSatisfy(request -> assertThat(request.asOfMillis()).isEqualTo(77));
        assertThat(read(browser.getEnumeration())).hasSize(3);
    }

    @Test
    void shouldEndWithItsBrowserAndWithItsSession() throws JMSException {
        answers(3, "a", "-", "c");
        QueueBrowser browser = session.createBrowser(session.createQueue("orders"));
        Enumeration<?> messages = browser.getEnumeration();
        messages.nextElement();
        browser.close();
        browser.close();
        assertThat(messages.hasMoreElements()).isFalse();
        assertThatThrownBy(browser::getEnumeration).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(browser::getQueue).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(browser::getMessageSelector).isInstanceOf(IllegalStateException.class);
        Enumeration<?> others =
                session.createBrowser(session.createQueue("orders")).getEnumeration();
        session.close();
        assertThat(others.hasMoreElements()).isFalse();
    }

    @Test
    void shouldSayWhatItBrowses() throws JMSException {
        answers(0);
        QueueBrowser browser = session.createBrowser(session.createQueue("orders"), " a = 1 ");
        assertThat(browser.getQueue().getQueueName()).isEqualTo("orders");
        assertThat(browser.getMessageSelector()).isEqualTo("a = 1");
        assertThat(node.handled(Browse.Request.class).get(0).selector()).isEqualTo("a = 1");
        assertThat(session.createBrowser(session.createQueue("orders"), "").getMessageSelector())
                .isNull();
        assertThat(browser.getEnumeration().hasMoreElements()).isFalse();
    }

    @Test
    void shouldRefuseAtOnceWhatTheNodeRefuses() throws Exception {
        node.impolitely(Browse.Request.class);
        assertThatThrownBy(() -> session.createBrowser(null)).isInstanceOf(InvalidDestinationException.class);
        Thread answering = new Thread(() -> {
            try {
                node.expect(Browse.Request.class).refuse(ErrorCode.INVALID_SELECTOR, "at 1");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        answering.start();
        assertThatThrownBy(() -> session.createBrowser(session.createQueue("orders"), "a ="))
                .isInstanceOf(InvalidSelectorException.class);
        answering.join();
    }

    @Test
    void shouldReadOnWhenTheConnectionWasLostAndIsBack() throws JMSException {
        answers(3, "a", "-", "c");
        Enumeration<?> messages =
                session.createBrowser(session.createQueue("orders")).getEnumeration();
        assertThat(((Message) messages.nextElement()).getBody(String.class)).isEqualTo("a");
        node.drop();
        assertThat(read(messages)).containsExactly("c");
    }
}
