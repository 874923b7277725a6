package io.duramen.replication.raft;

import io.duramen.log.LogConfig;
import io.duramen.log.ShardLog;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has log and image of the leader copied when the engine asks for it, and says whether they may take the place of this replica's. Copies
 * are begun by the engine's threads; what concerns the log is done by the agent.
 */
final class Receiving {
    private static final Logger LOG = LoggerFactory.getLogger(Receiving.class);

    private final RaftReplica.Place place;
    private final LogConfig config;
    private final Mailbox mailbox;
    private final ShardLog log;
    private final StoredLog stored;
    private final Owner owner;

    /** The replica. Called by its agent. */
    interface Owner {
        boolean isClosed();

        /** What takes its place is there. */
        void replaced();

        void broke(IOException cause);
    }

    Receiving(RaftReplica.Place place, LogConfig config, Mailbox mailbox, ShardLog log, StoredLog stored, Owner owner) {
        this.place = place;
        this.config = config;
        this.mailbox = mailbox;
        this.log = log;
        this.stored = stored;
        this.owner = owner;
    }

    /** On a thread of the engine's; null where the leader says nothing sensible. */
    Arrival from(String source) {
        try {
            Copy copy = new Copy(
                    place.client(),
                    Copy.Source.of(source),
                    place.files(),
                    config,
                    place.config().copyBytesPerSecond());
            return new Arrival(copy, place.files(), new Receiver());
        } catch (IOException e) {
            LOG.warn("A leader that says where to copy from says nothing sensible: {}", e.getMessage());
            return null;
        }
    }

    /** Whether a copy of the leader's log may take the place of this one. */
    private final class Receiver implements Arrival.Receiver {
        @Override
        public CompletableFuture<Boolean> mayReplace(Copy copy, Copy.End end) {
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            if (!mailbox.offer(() -> answer.complete(!copy.isCancelled() && makesWay(end)))) {
                answer.complete(false);
            }
            return answer;
        }

        @Override
        public void arrived(IOException failed) {
            mailbox.offer(() -> {
                if (failed == null) {
                    owner.replaced();
                } else {
                    owner.broke(failed);
                }
            });
        }
    }

    /**
     * What this replica has told that it has stored is in a log that the leader had afterwards, or was never committed; so it may go,
     * as long as nothing more is stored here from now on.
     */
    private boolean makesWay(Copy.End end) {
        try {
            if (owner.isClosed() || log.lastIndex() >= end.index() && log.epochOf(end.index()) == end.epoch()) {
                return false;
            }
        } catch (IOException e) {
            owner.broke(e);
            return false;
        }
        stored.seal();
        return true;
    }
}
