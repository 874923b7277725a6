package io.duramen.jms.publishing;

import jakarta.jms.CompletionListener;
import jakarta.jms.Message;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the sends that it was told of; none may have failed. */
final class CountingListener implements CompletionListener {
    final AtomicInteger told = new AtomicInteger();

    @Override
    public void onCompletion(Message message) {
        told.incrementAndGet();
    }

    @Override
    public void onException(Message message, Exception exception) {
        throw new AssertionError(exception);
    }
}
