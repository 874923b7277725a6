package io.duramen.jms.publishing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A send that meets the end of its session is told of, or refused: nothing between. */
@Timeout(30)
class CompletionsTest {
    private final CallbackThread callbacks = new CallbackThread("callbacks");
    private final Completions completions = new Completions(callbacks);
    private final CountingListener listener = new CountingListener();
    private final Completions.Send send = new Completions.Send(null, listener);

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

        assertThatThrownBy(() -> completions.begin(send))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void shouldWaitForASendThatHasBegunWhenTheSessionEnds() throws Exception {
        Completions.Begun begun = completions.begin(send);
        Thread ending = new Thread(this::end);
        ending.start();
        while (ending.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        begun.isDone();
        begun.close();
        ending.join();

        assertThat(listener.told).hasValue(1);
        assertThatThrownBy(() -> completions.begin(send)).isInstanceOf(IllegalStateException.class);
    }

    /** The thread that would tell the listener is the one that waits for it. */
    @Test
    void shouldTellByItselfWhenTheCallbackThreadEndsTheSession() throws Exception {
        Completions.Begun begun = completions.begin(send);
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
        begun.isDone();
        begun.close();
        ended.get(20, TimeUnit.SECONDS);

        assertThat(listener.told).hasValue(1);
    }

    @Test
    void shouldNotWaitForASendThatCameToNothing() throws Exception {
        Completions.Begun begun = completions.begin(send);
        CompletableFuture<Void> ended = CompletableFuture.runAsync(this::end);
        begun.close();
        ended.get(20, TimeUnit.SECONDS);

        assertThat(listener.told).hasValue(0);
    }

    /** Whatever is thrown in the middle: where the message is in no batch, the session's end does not wait for it. */
    @Test
    void shouldNotWaitForASendThatAnErrorEnded() throws Exception {
        assertThatThrownBy(() -> {
                    try (Completions.Begun begun = completions.begin(send)) {
                        throw new OutOfMemoryError("while " + begun + " was encoded");
                    }
                })
                .isInstanceOf(OutOfMemoryError.class);
        CompletableFuture.runAsync(this::end).get(20, TimeUnit.SECONDS);

        assertThat(listener.told).hasValue(0);
    }

    /** A send that is in its batch is told of once, also where its link throws right after. */
    @Test
    void shouldTellOnceOfASendWhoseLinkThrewAfterIt() throws Exception {
        Completions.Begun other = completions.begin(send);
        assertThatThrownBy(() -> {
                    try (Completions.Begun begun = completions.begin(send)) {
                        begun.isDone();
                        throw new IllegalArgumentException("the link");
                    }
                })
                .isInstanceOf(IllegalArgumentException.class);
        CompletableFuture<Void> ended = CompletableFuture.runAsync(this::end);
        while (listener.told.get() < 1) {
            Thread.onSpinWait();
        }
        assertThat(ended).isNotDone();
        other.isDone();
        ended.get(20, TimeUnit.SECONDS);

        assertThat(listener.told).hasValue(2);
    }
}
