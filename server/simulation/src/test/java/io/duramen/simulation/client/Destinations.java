package io.duramen.simulation.client;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.CreateTemporary;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.ResolveDestination;
import java.util.List;
import java.util.function.Consumer;

/** Finds destinations for a client's parts, again until it succeeds or the connection is lost. */
final class Destinations {
    private static final int RETRY_NANOS = 2_000_000;

    private final SimulatedClient client;

    Destinations(SimulatedClient client) {
        this.client = client;
    }

    void resolve(String name, DestinationKind kind, Consumer<List<PartitionRef>> found) {
        ask(name, kind, response -> found.accept(response.partitions()));
    }

    /** Those that take what has a key. */
    void resolveKeyed(String name, DestinationKind kind, Consumer<List<PartitionRef>> found) {
        ask(name, kind, response -> found.accept(response.partitions().subList(0, response.keyed())));
    }

    private void ask(String name, DestinationKind kind, Consumer<ResolveDestination.Response> found) {
        Record request = kind.isTemporary()
                ? new CreateTemporary.Request(kind, name, client.number())
                : new ResolveDestination.Request(name, kind, true);
        client.ask(request, new SimulatedClient.Answer() {
            @Override
            public void answered(Record response) {
                found.accept((ResolveDestination.Response) response);
            }

            @Override
            public void refused(ErrorCode code, String detail) {
                if (code == ErrorCode.RESOURCE_EXHAUSTED) {
                    client.simulation().after(RETRY_NANOS, client::drop);
                } else {
                    client.retryLater(code);
                }
            }
        });
    }
}
