package io.duramen.jms.publishing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.CompletionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A send that meets the end of its session is told of, or refused: nothing between. */
@Timeout(30)
class CompletionsTest {
    private final CallbackThread callbacks = new CallbackThread("callbacks");
    private final Completions completions = new Completions(callbacks);
    private final AtomicInteger told = new AtomicInteger();
    private final CompletionListener listener = new CompletionListener() {
        @Override
        public void onCompletion(Message message) {
            told.incrementAndGet();
        }

        @Override
        public void onException(Message message, Exception exception) {
            throw new AssertionError(exception);
        }
    };

    @AfterEach
    void close() {
        callbacks.close();
    }

    private void end() {
        try {
            completions.end();
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldRefuseASendWhenTheSessionHasEnded() throws JMSException {
        completions.end();

        assertThatThrownBy(completions::begin)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void shouldWaitForASendThatHasBegunWhenTheSessionEnds() throws Exception {
        completions.begin();
        Thread ending = new Thread(this::end);
        ending.start();
        while (ending.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        completions.addDone(new Completions.Send(null, listener));
        ending.join();

        assertThat(told).hasValue(1);
        assertThatThrownBy(completions::begin).isInstanceOf(IllegalStateException.class);
    }

    /** The thread that would tell the listener is the one that waits for it. */
    @Test
    void shouldTellByItselfWhenTheCallbackThreadEndsTheSession() throws Exception {
        completions.begin();
        CompletableFuture<Void> ended = new CompletableFuture<>();
        CompletableFuture<Thread> ending = new CompletableFuture<>();
        callbacks.run(() -> {
            ending.complete(Thread.currentThread());
            end();
            ended.complete(null);
        });
        while (ending.get().getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        completions.addDone(new Completions.Send(null, listener));
        ended.get(20, TimeUnit.SECONDS);

        assertThat(told).hasValue(1);
    }

    @Test
    void shouldNotWaitForASendThatCameToNothing() throws Exception {
        completions.begin();
        CompletableFuture<Void> ended = CompletableFuture.runAsync(this::end);
        completions.giveUp();
        ended.get(20, TimeUnit.SECONDS);

        assertThat(told).hasValue(0);
    }
}
