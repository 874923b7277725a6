package io.duramen.jms.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.peer.ScriptedNode;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.DropBody;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.StorePart;
import io.duramen.protocol.record.BodyName;
import io.duramen.protocol.record.BodyPart;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A body that was sent ahead of its message is given up when the node does not take the message. */
@Timeout(30)
class LargeSendTest {
    private ScriptedNode node;
    private Connection connection;
    private Session session;
    private MessageProducer producer;

    @BeforeEach
    void connect() throws JMSException {
        node = ScriptedNode.start();
        node.politely(StorePart.Request.class, part -> new StorePart.Response(BodyPart.index(part.part())));
        connection = new DuramenConnectionFactory(node.url("largeBodyBytes=1000")).createConnection();
        session = connection.createSession();
        producer = session.createProducer(session.createQueue("orders"));
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
        node.close();
    }

    private void refusedAndDropped() throws InterruptedException {
        node.expect(Publish.Request.class).refuse(ErrorCode.RESOURCE_EXHAUSTED, "disk");
        ScriptedNode.Received drop = node.expect(DropBody.Request.class);
        DropBody.Request dropped = (DropBody.Request) drop.frame().payload();
        assertThat(node.handled(StorePart.Request.class))
                .extracting(part -> BodyPart.body(part.part()))
                .containsOnly(new BodyName(dropped.nameHigh(), dropped.nameLow()));
        drop.answer(new DropBody.Response());
    }

    private Message large() throws JMSException {
        return session.createTextMessage("x".repeat(5000));
    }

    private CompletableFuture<Void> sends() {
        return CompletableFuture.runAsync(() -> {
            try {
                producer.send(large());
            } catch (JMSException e) {
                throw new java.util.concurrent.CompletionException(e);
            }
        });
    }

    @Test
    void shouldGiveTheBodyUpWhenTheMessageIsRefused() throws Exception {
        for (int mode : new int[] {DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT}) {
            producer.setDeliveryMode(mode);
            CompletableFuture<Void> send = sends();
            ScriptedNode.Received publish = node.expect(Publish.Request.class);
            publish.refuse(ErrorCode.RESOURCE_EXHAUSTED, "disk");
            node.expect(DropBody.Request.class).answer(new DropBody.Response());
            assertThatThrownBy(() -> send.get(10, TimeUnit.SECONDS)).hasMessageContaining("disk");
        }
    }

    @Test
    void shouldGiveTheBodyUpWhenTheMessageIsRefusedLater() throws Exception {
        CompletableFuture<String> told = new CompletableFuture<>();
        producer.send(large(), new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                told.complete("sent");
            }

            @Override
            public void onException(Message message, Exception exception) {
                told.complete(exception.getMessage());
            }
        });
        refusedAndDropped();
        assertThat(told.get(10, TimeUnit.SECONDS)).contains("disk");
    }
}
