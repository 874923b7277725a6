package io.duramen.replication.raft;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.closure.ReadIndexClosure;
import com.alipay.sofa.jraft.util.Endpoint;
import io.duramen.log.LogFile;
import io.duramen.log.ShardLog;
import io.duramen.runtime.Clock;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lends log and image of this replica, while it leads, to others that lack what was deleted here. While something is lent, and a
 * while longer, no segment is released. Confined to the agent, but for what {@link LoanDesk.Lender} says.
 *
 * <p>A loan is made of the log of whoever was elected in the epoch in which the engine has told the other to copy: all that the other
 * has said to have until then is in it, or was never committed. That the leader's first entry is committed is not waited for: the
 * one that asks may be needed for that. For one that has lost what it had said to have, which nobody knows, a majority is asked besides
 * whether it follows. And its loan waits until the leader has written all that it had handed to others when that was confirmed: an answer
 * that the one that asks gave before it lost everything may count for an entry that the leader has sent, and not written itself.
 *
 * <p>The engine is asked nothing here that it would answer under its lock: who holds that may be waiting for the agent.
 */
final class Lending implements LoanDesk.Lender {
    private static final Logger LOG = LoggerFactory.getLogger(Lending.class);
    private static final byte[] NOTHING = new byte[0];
    private static final int LOANS_MAX = 6;

    /** Who copied gets what came since from the log, for which it needs a moment; who has not asked for so long is gone. */
    private static final long HELD_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final String group;
    private final ReplicaFiles files;
    private final Roster roster;
    private final ShardLog log;
    private final LongSupplier knownEpoch;
    private final Progress progress;
    private final LoanDesk desk;
    private final Mailbox mailbox;
    private final Clock clock;
    private final ArrayDeque<Asked> asked = new ArrayDeque<>();
    private final List<Loan> loans = new ArrayList<>();
    private volatile long number;
    private volatile boolean leads;
    private boolean held;
    private long heldUntilNanos;

    private static final class Asked {
        private final long epoch;
        private final boolean confirmed;
        private final CompletableFuture<Loan> answer;
        private boolean asking;
        private boolean ready;
        private long sentIndex;

        Asked(long epoch, boolean confirmed, CompletableFuture<Loan> answer) {
            this.epoch = epoch;
            this.confirmed = confirmed;
            this.answer = answer;
            this.ready = !confirmed;
        }
    }

    /**
     * @param knownEpoch that the replica knows of; asked from any thread
     * @param progress knows in which epoch the replica has led, and what it has sent
     */
    Lending(
            RaftReplica.Place place,
            ShardLog log,
            LongSupplier knownEpoch,
            Progress progress,
            Mailbox mailbox,
            Clock clock) {
        this.progress = progress;
        this.group = place.config().group();
        this.knownEpoch = knownEpoch;
        this.files = place.files();
        this.roster = place.roster();
        this.log = log;
        this.desk = place.loans();
        this.mailbox = mailbox;
        this.clock = clock;
    }

    /** Before the replica starts. */
    void open() {
        number = desk.open(group, this);
    }

    /** What others need to ask this replica for a loan; from any thread. */
    Copy.Source source(Endpoint self) {
        return new Copy.Source(self, number, knownEpoch.getAsLong());
    }

    /** This replica leads, and what was committed before is too. */
    void lead() {
        leads = true;
    }

    /** This replica leads no more, or entries are taken back: what is lent is lent no longer. */
    void end() {
        leads = false;
        for (Asked one = asked.poll(); one != null; one = asked.poll()) {
            refuse(one);
        }
        List.copyOf(loans).forEach(this::drop);
    }

    void close() {
        end();
        desk.close(group, number);
    }

    @Override
    public CompletableFuture<Loan> begin(long ofEpoch, boolean confirmed) {
        CompletableFuture<Loan> answer = new CompletableFuture<>();
        if (!mailbox.offer(() -> asked.add(new Asked(ofEpoch, confirmed, answer)))) {
            answer.completeExceptionally(new IOException("this replica ends"));
        }
        return answer;
    }

    @Override
    public void givenBack(Loan loan) {
        mailbox.offer(() -> {
            if (loans.contains(loan)) {
                drop(loan);
                hold();
            }
        });
    }

    @Override
    public LoanDesk.Standing standing(String asker) {
        boolean guest = roster.joining().stream().anyMatch(peer -> peer.name().equals(asker));
        return new LoanDesk.Standing(knownEpoch.getAsLong(), leads, false, guest && !roster.hasVoted(asker), number);
    }

    private void hold() {
        held = true;
        heldUntilNanos = clock.nanos() + HELD_NANOS;
    }

    /** Whether nobody needs what is to be released. */
    boolean mayRelease() {
        long now = clock.nanos();
        for (Loan loan : List.copyOf(loans)) {
            if (now - loan.usedNanos() >= HELD_NANOS) {
                LOG.info("What was lent to another replica was not asked for any more; it is taken back");
                drop(loan);
            }
        }
        held = held && now - heldUntilNanos < 0;
        return loans.isEmpty() && !held;
    }

    /** Answers who asks for a loan; returns how many. To be called while no write is under way, as far as that comes about. */
    int poll(Node node) {
        Asked first = asked.peek();
        if (first == null) {
            return 0;
        }
        if (loans.size() >= LOANS_MAX || !mayLendIn(first.epoch)) {
            refuse(asked.poll());
            return 1;
        }
        if (first.confirmed && !first.asking) {
            first.asking = true;
            confirm(first, node);
            return 1;
        }
        Optional<List<LogFile>> written = isReady(first) ? log.files() : Optional.empty();
        if (written.isEmpty()) {
            return 0;
        }
        lend(asked.poll(), written.get());
        return 1;
    }

    /** Whoever sends entries in an epoch was elected in it; and its log is as it was then, and longer, while it knows of no later one. */
    private boolean mayLendIn(long epoch) {
        return knownEpoch.getAsLong() == epoch && progress.hasLedIn(epoch);
    }

    private boolean isReady(Asked first) {
        return first.ready && log.writtenIndex() >= first.sentIndex;
    }

    private void confirm(Asked first, Node node) {
        node.readIndex(NOTHING, new ReadIndexClosure() {
            @Override
            public void run(Status status, long index, byte[] context) {
                mailbox.offer(() -> {
                    first.ready = status.isOk();
                    first.sentIndex = progress.sentIndex();
                    if (!first.ready && asked.remove(first)) {
                        refuse(first);
                    }
                });
            }
        });
    }

    private static void refuse(Asked one) {
        one.answer.completeExceptionally(new IOException(
                "this replica does not lead in epoch " + one.epoch + ", or lends to " + LOANS_MAX + " already"));
    }

    private void lend(Asked to, List<LogFile> written) {
        try {
            Loan loan = Loan.of(files, log, written, desk.newId(), clock);
            loans.add(loan);
            desk.opened(loan);
            LOG.info(
                    "The log up to entry {} and the image beside it are lent to another replica: {} files",
                    log.writtenIndex(),
                    loan.listing().items().size());
            to.answer.complete(loan);
        } catch (IOException | RuntimeException e) {
            LOG.warn("Nothing could be lent to another replica", e);
            to.answer.completeExceptionally(e);
        }
    }

    private void drop(Loan loan) {
        loan.end();
        loans.remove(loan);
        desk.ended(loan);
        try {
            ReplicaFiles.deleteAll(files.lent().resolve(Long.toHexString(loan.id())));
        } catch (IOException e) {
            LOG.debug("Names of files that were lent stay until the next start", e);
        }
    }
}
