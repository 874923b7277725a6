package io.duramen.simulation.client;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.AwaitChecks;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.simulation.SeededRandom;
import java.util.TreeMap;

/** Is asked what became of half messages, looks it up, and says so; what it does not find it says nothing of. */
public final class CheckerPart implements ClientPart {
    private static final int WAIT_MILLIS = 50;

    private final SimulatedClient client;
    private final SeededRandom random;
    private final String queue;
    private final HalfLedger ledger;
    private final HalfWords words;

    /** Whether it waits, by shard. */
    private final TreeMap<Integer, Boolean> waiting = new TreeMap<>();

    public CheckerPart(SimulatedClient client, String queue, HalfLedger ledger) {
        this.client = client;
        this.random = client.random().split();
        this.queue = queue;
        this.ledger = ledger;
        this.words = new HalfWords(client);
    }

    @Override
    public void connected() {
        new Destinations(client).resolve(queue, DestinationKind.QUEUE, found -> {
            for (PartitionRef partition : found) {
                waiting.put(partition.shard(), false);
            }
        });
    }

    @Override
    public void lost() {
        waiting.clear();
        words.lost();
    }

    @Override
    public void work() {
        words.work();
        waiting.forEach((shard, waits) -> {
            if (!waits && random.oneIn(3)) {
                await(shard);
            }
        });
    }

    private void await(int shard) {
        waiting.put(shard, true);
        AwaitChecks.Request request =
                new AwaitChecks.Request(shard, HalfPart.GROUP, random.below(WAIT_MILLIS), random.between(1, 4));
        client.ask(request, new SimulatedClient.Answer() {
            @Override
            public void answered(Record response) {
                waiting.put(shard, false);
                for (AwaitChecks.Check check : ((AwaitChecks.Response) response).checks()) {
                    ledger.find(check.id().low()).ifPresent(done -> words.say(shard, check.id(), done));
                }
            }

            @Override
            public void refused(ErrorCode code, String detail) {
                client.retryLater(code);
            }
        });
    }

    @Override
    public void windDown() {
        // It goes on.
    }

    @Override
    public boolean isIdle() {
        return words.isEmpty();
    }

    @Override
    public String describe() {
        return "checker of " + queue;
    }
}
