package io.duramen.simulation.client;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Publish;
import io.duramen.simulation.message.TestMessage;
import java.util.ArrayList;
import java.util.List;

/** Puts a fixed set of tokens into a queue, once and for all: again until it is told that they are stored. */
public final class TokenPart implements ClientPart {
    private static final int RETRY_NANOS = 5_000_000;

    private final SimulatedClient client;
    private final String queue;
    private final List<TestMessage> tokens = new ArrayList<>();
    private final long producerId;
    private Publish.Request unanswered;
    private boolean stored;

    public TokenPart(SimulatedClient client, String queue, long firstToken, int count) {
        this.client = client;
        this.queue = queue;
        this.producerId = client.random().nextLong() | 1;
        for (int i = 0; i < count; i++) {
            tokens.add(new TestMessage(firstToken + i, 0, 0, true, 10));
        }
    }

    @Override
    public void connected() {
        if (!stored) {
            new Destinations(client).resolve(queue, DestinationKind.QUEUE, found -> send(found.get(0)));
        }
    }

    private void send(PartitionRef to) {
        if (unanswered == null) {
            unanswered = new Publish.Request(
                    to.shard(), to.partition(), Publish.Acks.ALL, TestMessage.batch(producerId, 0, tokens));
        }
        client.ask(unanswered, new SimulatedClient.Answer() {
            @Override
            public void answered(Record response) {
                stored = true;
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

    @Override
    public void lost() {}

    @Override
    public void work() {}

    @Override
    public void windDown() {}

    @Override
    public boolean isIdle() {
        return stored;
    }

    @Override
    public String describe() {
        return "tokens " + (stored ? "stored" : "not stored");
    }
}
