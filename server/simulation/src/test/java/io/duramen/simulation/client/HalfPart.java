package io.duramen.simulation.client;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.HalfId;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.PrepareHalf;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.message.TestMessage;
import java.util.List;

/**
 * Stores half messages, one after the other, does the application's work, and says what became of it; or forgets to, or
 * dies before it knows. Confined to the simulation.
 */
public final class HalfPart implements ClientPart {
    static final String GROUP = "halves";

    private final SimulatedClient client;
    private final SeededRandom random;
    private final String queue;
    private final HalfLedger ledger;
    private final HalfWords words;
    private List<PartitionRef> partitions = List.of();
    private boolean ready;
    private PrepareHalf.Request storing;
    private boolean asked;
    private long next;
    private int left;

    /** @param number of this part, from 1 */
    public HalfPart(SimulatedClient client, String queue, int number, HalfLedger ledger) {
        this.client = client;
        this.random = client.random().split();
        this.queue = queue;
        this.ledger = ledger;
        this.words = new HalfWords(client);
        this.next = TestMessage.HALF_SENDERS + number * 1000L;
        this.left = random.below(30);
    }

    @Override
    public void connected() {
        new Destinations(client).resolve(queue, DestinationKind.QUEUE, found -> partitions = found);
        asked = true;
        ask(new PrepareHalf.Request(0, new HalfId(0, 0), GROUP, 0, List.of()), () -> ready = true);
    }

    @Override
    public void lost() {
        partitions = List.of();
        ready = false;
        asked = false;
        words.lost();
    }

    @Override
    public void work() {
        if (partitions.isEmpty() || !ready || asked) {
            return;
        }
        words.work();
        if (storing == null && left > 0 && random.oneIn(3)) {
            left--;
            storing = half(next++);
        }
        if (storing != null) {
            asked = true;
            ask(storing, this::stored);
        }
    }

    private PrepareHalf.Request half(long sender) {
        PartitionRef to = random.pick(partitions);
        TestMessage message = new TestMessage(sender, 1, 0, true, random.below(60));
        return new PrepareHalf.Request(
                to.shard(),
                new HalfId(0, sender),
                GROUP,
                random.oneIn(2) ? 0 : random.between(1, 50),
                List.of(new Commit.PartitionBatch(to.partition(), TestMessage.batch(0, 0, List.of(message)))));
    }

    private void stored() {
        PrepareHalf.Request half = storing;
        storing = null;
        if (random.oneIn(8)) {
            return; // it dies, and nobody will ever know
        }
        boolean done = !random.oneIn(4);
        ledger.write(half.id().low(), done);
        if (!random.oneIn(3)) {
            words.say(half.shard(), half.id(), done);
        }
    }

    private void ask(PrepareHalf.Request request, Runnable then) {
        client.ask(request, new SimulatedClient.Answer() {
            @Override
            public void answered(Record response) {
                asked = false;
                then.run();
            }

            @Override
            public void refused(ErrorCode code, String detail) {
                if (code == ErrorCode.RESOURCE_EXHAUSTED) {
                    client.drop();
                } else {
                    client.retryLater(code);
                }
            }
        });
    }

    @Override
    public void windDown() {
        left = 0;
    }

    @Override
    public boolean isIdle() {
        return left == 0 && storing == null && words.isEmpty();
    }

    @Override
    public String describe() {
        return "halves to " + queue + ", " + left + " left" + (storing == null ? "" : ", storing " + storing.id());
    }
}
