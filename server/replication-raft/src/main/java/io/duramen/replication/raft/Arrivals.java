package io.duramen.replication.raft;

import io.duramen.log.LogConfig;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Copies of the leader's log that the engine has a replica make. Called by the engine's threads; the replica is told on its agent's. */
final class Arrivals implements Arrival.Receiver {
    private static final Logger LOG = LoggerFactory.getLogger(Arrivals.class);

    private final RaftReplica.Place place;
    private final LogConfig config;
    private final Mailbox mailbox;
    private final Predicate<Copy.End> makesWay;
    private final Consumer<IOException> arrived;

    /**
     * @param makesWay whether the replica lacks something of a log that ends so; where that is true, it stores nothing from there on
     * @param arrived what is to replace it is there; or could not be put there, and why
     */
    Arrivals(
            RaftReplica.Place place,
            LogConfig config,
            Mailbox mailbox,
            Predicate<Copy.End> makesWay,
            Consumer<IOException> arrived) {
        this.place = place;
        this.config = config;
        this.mailbox = mailbox;
        this.makesWay = makesWay;
        this.arrived = arrived;
    }

    /** @return null where that names no replica */
    Arrival from(String source) {
        try {
            Copy copy = new Copy(
                    place.client(),
                    Copy.Source.of(source),
                    place.files(),
                    config,
                    place.config().copyBytesPerSecond());
            return new Arrival(copy, place.files(), this);
        } catch (IOException e) {
            LOG.warn("A leader that says where to copy from says nothing sensible: {}", e.getMessage());
            return null;
        }
    }

    @Override
    public CompletableFuture<Boolean> mayReplace(Copy copy, Copy.End end) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        if (!mailbox.offer(() -> answer.complete(!copy.isCancelled() && makesWay.test(end)))) {
            answer.complete(false);
        }
        return answer;
    }

    @Override
    public void arrived(IOException failure) {
        mailbox.offer(() -> arrived.accept(failure));
    }
}
