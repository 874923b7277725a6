package io.duramen.broker.shard;

import io.duramen.broker.destination.Names;
import io.duramen.broker.selector.MessageFilter;
import io.duramen.broker.subscription.Browser;
import io.duramen.broker.subscription.PartitionDispatch;
import io.duramen.broker.subscription.Subscription;
import io.duramen.log.DamagedLogException;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Browse;
import io.duramen.runtime.Clock;
import java.util.ArrayDeque;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers browsers, a page at a time; keeps a page only while its bytes are fetched. Confined to the agent. */
final class BrowseDecisions {
    private static final Logger LOG = LoggerFactory.getLogger(BrowseDecisions.class);

    private final ShardState state;
    private final DestinationDecisions destinations;
    private final Selecting selecting;
    private final Appender appender;
    private final Clock clock;
    private final ArrayDeque<Page> ready = new ArrayDeque<>();

    BrowseDecisions(
            ShardState state, DestinationDecisions destinations, Selecting selecting, Appender appender, Clock clock) {
        this.state = state;
        this.destinations = destinations;
        this.selecting = selecting;
        this.appender = appender;
        this.clock = clock;
    }

    /**
     * A view that begins now holds what was sent before it was asked for, and what came before it on the same connection
     * is decided by now: it waits until that is committed.
     */
    void browse(ConnectionState connection, Reply reply, Browse.Request request) {
        Names.check("the queue name", request.destination(), ErrorCode.INVALID_DESTINATION_NAME);
        MessageFilter filter = selecting.filter(request.selector());
        requirePartition(connection, request);
        if (request.end() != Browse.NOW) {
            read(connection, reply, request, filter);
            return;
        }
        if (state.branches.isCommitting()) {
            appender.hurry();
        }
        appender.whenCommitted(new Appender.Waiter() {
            @Override
            public void reached() {
                read(connection, reply, request, filter);
            }

            @Override
            public void failed(ProtocolException reason) {
                read(connection, reply, request, filter); // a log that stopped still shows what it has
            }
        });
    }

    private void read(ConnectionState connection, Reply reply, Browse.Request request, MessageFilter filter) {
        PartitionDispatch partition;
        try {
            partition = requirePartition(connection, request);
        } catch (ProtocolException refusal) {
            reply.fail(refusal); // deleted while it waited
            return;
        }
        new Page(reply, request, partition, filter).read();
    }

    private PartitionDispatch requirePartition(ConnectionState connection, Browse.Request request) {
        destinations.requireConsumable(connection, request.destination(), true);
        Subscription queue = state.subscriptions.ofQueue(request.destination());
        PartitionDispatch partition = queue.partition(request.partition());
        if (partition == null) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    "'" + request.destination() + "' has no partition " + request.partition());
        }
        return partition;
    }

    /** Reads on in pages whose bytes are there by now. */
    int doWork() {
        int work = ready.size();
        for (int i = work; i > 0; i--) {
            ready.poll().read();
        }
        return work;
    }

    private final class Page {
        private final Reply reply;
        private final Browse.Request request;
        private final Browser browser;

        Page(Reply reply, Browse.Request request, PartitionDispatch partition, MessageFilter filter) {
            this.reply = reply;
            this.request = request;
            this.browser = new Browser(
                    partition, state.dispatchContext(), request, filter, clock.millis(), () -> ready.add(this));
        }

        void read() {
            try {
                Optional<Browse.Response> page = browser.read(clock.millis());
                page.ifPresent(reply::succeed);
            } catch (DamagedLogException e) {
                LOG.error(
                        "A browser of '{}' stops at partition {}, the log cannot give its messages: {}",
                        request.destination(),
                        request.partition(),
                        e.getMessage());
                reply.fail(ErrorCode.INTERNAL, "the log cannot give the messages of '" + request.destination() + "'");
            }
        }
    }
}
