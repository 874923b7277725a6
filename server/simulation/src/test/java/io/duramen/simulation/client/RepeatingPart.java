package io.duramen.simulation.client;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.EndBranch;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Prepare;
import io.duramen.protocol.frame.Publish;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.message.TestMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Sends messages with dedup ids that others send, too, plainly, in transactions and in branches of distributed ones, and
 * sends them again, as a new producer that knows nothing of what it did before, until it is told that they are stored. A
 * prepared branch it may leave alone until the end.
 */
public final class RepeatingPart implements ClientPart {
    private static final int GUARDED_MAX = 3;
    private static final int FORMAT = 5;
    private static final long ATTEMPTS_MAX = 10_000;

    private enum Stage {
        PREPARING,
        PREPARED,
        ENDING
    }

    private static final class Branch {
        private final BranchId id;
        private final long transaction;
        private final Prepare.Request request;
        private final List<Long> ids;
        private final boolean commit;
        private final boolean forgotten;
        private Stage stage = Stage.PREPARING;
        private boolean asked;
        private boolean endAsked;

        Branch(Prepare.Request request, long transaction, List<Long> ids, SeededRandom random) {
            this.id = request.branch();
            this.request = request;
            this.transaction = transaction;
            this.ids = ids;
            this.commit = !random.oneIn(3);
            this.forgotten = random.oneIn(3);
        }
    }

    private final SimulatedClient client;
    private final SeededRandom random;
    private final String queue;
    private final int number;
    private final int ids;
    private final TreeSet<Long> toSend = new TreeSet<>();
    private final BranchRecovery recovery;
    private List<PartitionRef> partitions = List.of();
    private List<Long> pending = List.of();
    private Branch branch;
    private long attempt;
    private int freshLeft;
    private boolean winding;

    /** @param number of this part, from 1; @param ids how many dedup ids there are */
    public RepeatingPart(SimulatedClient client, String queue, int number, int ids) {
        this.client = client;
        this.random = client.random().split();
        this.queue = queue;
        this.number = number;
        this.ids = ids;
        this.freshLeft = random.below(40);
        this.recovery = new BranchRecovery(client, this::isOwn);
    }

    @Override
    public void connected() {
        new Destinations(client).resolveKeyed(queue, DestinationKind.QUEUE, found -> partitions = found);
    }

    /** What it asked is to be asked again, by one that has forgotten who it was. */
    @Override
    public void lost() {
        partitions = List.of();
        recovery.lost();
        toSend.addAll(pending);
        pending = List.of();
        if (branch != null) {
            branch.asked = false;
        }
    }

    @Override
    public void work() {
        if (partitions.isEmpty() || !pending.isEmpty()) {
            return;
        }
        if (branch != null && !branch.asked && (winding || !branch.forgotten || branch.stage != Stage.PREPARED)) {
            goOn();
        }
        if (winding && branch == null) {
            TreeSet<Integer> shards = new TreeSet<>();
            partitions.forEach(partition -> shards.add(partition.shard()));
            recovery.ask(shards);
        }
        if (!random.oneIn(3)) {
            return;
        }
        List<Long> now = chosen();
        if (now.isEmpty()) {
            return;
        }
        attempt++;
        if (branch == null && !winding && random.oneIn(3)) {
            prepare(now);
        } else if (random.oneIn(2)) {
            commit(now);
        } else {
            publish(now);
        }
    }

    private boolean isOwn(BranchId id) {
        long of = id.globalId().getLong(id.globalId().position()) - TestMessage.BRANCH_SENDERS;
        return id.formatId() == FORMAT && of / ATTEMPTS_MAX == number;
    }

    private List<Long> chosen() {
        List<Long> chosen = new ArrayList<>();
        for (long id : toSend) {
            if (chosen.size() < GUARDED_MAX && random.oneIn(2)) {
                chosen.add(id);
            }
        }
        if (chosen.isEmpty() && freshLeft > 0 && !winding) {
            freshLeft--;
            for (int i = random.between(1, GUARDED_MAX); i > 0; i--) {
                chosen.add(TestMessage.DEDUP_SENDERS + random.below(ids));
            }
        }
        toSend.removeAll(chosen);
        return chosen;
    }

    private long attemptNumber() {
        return number * ATTEMPTS_MAX + attempt;
    }

    private long transaction() {
        return TestMessage.BRANCH_SENDERS + attemptNumber();
    }

    /** The id says where it goes, as clients do it. */
    private PartitionRef partition(long id) {
        return partitions.get((int) (id % partitions.size()));
    }

    private TestMessage message(long id, int place, long transaction) {
        return new TestMessage(id, attemptNumber() * 10 + place, transaction, true, random.below(60));
    }

    private Parts parts(List<Long> now, long transaction) {
        Parts parts = new Parts();
        int place = 0;
        for (long id : now) {
            parts.send(partition(id), message(id, place++, transaction));
        }
        return parts;
    }

    private void publish(List<Long> now) {
        PartitionRef to = partition(now.get(0));
        List<Long> sent = now.stream().filter(id -> partition(id).equals(to)).toList();
        now.stream().filter(id -> !sent.contains(id)).forEach(toSend::add);
        List<TestMessage> messages = new ArrayList<>();
        sent.forEach(id -> messages.add(message(id, messages.size(), 0)));
        boolean sequenced = random.oneIn(2);
        ByteBuffer batch = TestMessage.batch(sequenced ? random.nextLong() | 1 : 0, 0, messages);
        ask(new Publish.Request(to.shard(), to.partition(), Publish.Acks.ALL, batch), sent);
    }

    private void commit(List<Long> now) {
        List<Long> guarding = guarding(now);
        long transaction = transaction();
        Parts parts = parts(guarding, transaction);
        guarded(parts, transaction);
        int shard = parts.coordinator(random);
        ask(
                new Commit.Request(
                        shard,
                        random.nextLong() | 1,
                        0,
                        1,
                        parts.of(shard).batches(),
                        List.of(),
                        "",
                        parts.others(shard)),
                guarding);
    }

    /** One id guards a whole transaction; of several each is left out where it is a repeat. */
    private List<Long> guarding(List<Long> now) {
        int count = random.oneIn(4) ? now.size() : 1;
        toSend.addAll(now.subList(count, now.size()));
        return now.subList(0, count);
    }

    private void guarded(Parts parts, long transaction) {
        int count = random.below(GUARDED_MAX);
        for (int i = 1; i <= count; i++) {
            parts.send(
                    random.pick(partitions),
                    new TestMessage(
                            TestMessage.GUARDED_SENDERS + attemptNumber(), i, transaction, true, random.below(60)));
        }
    }

    private void ask(Record request, List<Long> sent) {
        pending = sent;
        client.ask(request, new SimulatedClient.Answer() {
            @Override
            public void answered(Record response) {
                pending = List.of();
            }

            @Override
            public void refused(ErrorCode code, String detail) {
                toSend.addAll(pending);
                pending = List.of();
                retry(code);
            }
        });
    }

    private void retry(ErrorCode code) {
        if (code != ErrorCode.DEDUP_ID_UNDECIDED && code != ErrorCode.RESOURCE_EXHAUSTED) {
            client.retryLater(code);
        }
    }

    /** With one id that guards it, or without any. */
    private void prepare(List<Long> now) {
        long transaction = transaction();
        List<Long> guarding = random.oneIn(3) ? List.of() : guarding(now);
        Parts parts = parts(guarding, transaction);
        if (guarding.isEmpty()) {
            toSend.addAll(now);
            parts.send(random.pick(partitions), new TestMessage(transaction, 1, transaction, true, 5));
            parts.send(random.pick(partitions), new TestMessage(transaction, 2, transaction, true, 5));
        } else {
            guarded(parts, transaction);
        }
        ByteBuffer name = ByteBuffer.allocate(Long.BYTES).putLong(0, transaction);
        int shard = parts.coordinator(random);
        Prepare.Request request = new Prepare.Request(
                shard,
                new BranchId(FORMAT, name, name.duplicate()),
                parts.of(shard).batches(),
                List.of(),
                parts.others(shard));
        branch = new Branch(request, transaction, guarding, random);
        goOn();
    }

    private void goOn() {
        Branch now = branch;
        now.asked = true;
        if (now.stage == Stage.PREPARING) {
            client.ask(now.request, new SimulatedClient.Answer() {
                @Override
                public void answered(Record response) {
                    now.stage = Stage.PREPARED;
                    now.asked = false;
                }

                @Override
                public void refused(ErrorCode code, String detail) {
                    if (code == ErrorCode.DEDUP_ID_UNDECIDED || code == ErrorCode.RESOURCE_EXHAUSTED) {
                        toSend.addAll(now.ids);
                        branch = null; // it was never prepared
                        client.rolledBack(now.transaction);
                    } else {
                        client.retryLater(code);
                    }
                }
            });
        } else {
            end(now);
        }
    }

    private void end(Branch now) {
        boolean again = now.endAsked;
        now.stage = Stage.ENDING;
        now.endAsked = true;
        client.ask(new EndBranch.Request(now.request.shard(), now.id, now.commit), new SimulatedClient.Answer() {
            @Override
            public void answered(Record response) {
                ended(now);
            }

            @Override
            public void refused(ErrorCode code, String detail) {
                if (code == ErrorCode.BRANCH_NOT_FOUND && again) {
                    ended(now); // it was, and the answer was lost
                } else if (code == ErrorCode.RESOURCE_EXHAUSTED) {
                    now.asked = false;
                } else {
                    client.retryLater(code);
                }
            }
        });
    }

    private void ended(Branch now) {
        branch = null;
        if (now.commit) {
            client.branchCommitted(now.transaction);
        } else {
            toSend.addAll(now.ids);
            client.rolledBack(now.transaction);
        }
    }

    @Override
    public void windDown() {
        winding = true;
    }

    @Override
    public boolean isIdle() {
        return pending.isEmpty() && toSend.isEmpty() && branch == null && winding;
    }

    @Override
    public String describe() {
        return "repeating " + toSend + ", pending " + pending + ", branch " + (branch == null ? "none" : branch.stage);
    }
}
