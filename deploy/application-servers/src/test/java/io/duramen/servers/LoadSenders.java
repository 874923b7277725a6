package io.duramen.servers;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Thread-safe. Browsers, one for each bean, that ask an application to send one text after the other. */
final class LoadSenders implements AutoCloseable {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(120);
    private static final int OK = 200;

    private final HttpClient http = Http.client();
    private final Set<String> tried = ConcurrentHashMap.newKeySet();
    private final Set<String> sent = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads;
    private volatile boolean ended;

    private LoadSenders(int count) {
        threads = Executors.newFixedThreadPool(count);
    }

    /** @param page of each, behind which the text is said */
    static LoadSenders start(int count, IntFunction<String> page) {
        LoadSenders senders = new LoadSenders(count);
        for (int i = 0; i < count; i++) {
            int sender = i;
            senders.threads.submit(() -> senders.run(page.apply(sender), "of-" + sender));
        }
        return senders;
    }

    private Void run(String page, String name) throws InterruptedException {
        for (int i = 0; !ended; i++) {
            String text = name + "-" + i;
            tried.add(text);
            if (status(page + "&text=" + text) == OK) {
                sent.add(text);
            }
        }
        return null;
    }

    private int status(String url) throws InterruptedException {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(url)).timeout(ANSWER_MAX).build();
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    /** All that may have been sent. */
    Set<String> tried() {
        return tried;
    }

    /** All that was. */
    Set<String> sent() {
        return sent;
    }

    /** Returns when none is on its way any more. */
    void stop() throws InterruptedException {
        ended = true;
        threads.shutdown();
        if (!threads.awaitTermination(ANSWER_MAX.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("the application does not answer");
        }
    }

    @Override
    public void close() {
        ended = true;
        threads.shutdownNow();
    }
}
