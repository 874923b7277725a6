package io.duramen.replication.raft;

import io.duramen.log.DamagedLogException;
import io.duramen.log.LogConfig;
import io.duramen.log.LogFile;
import io.duramen.log.ShardLog;
import io.duramen.runtime.Clock;
import io.duramen.runtime.disk.FileDisk;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the log of one node that of a group: lends it, while nothing is appended to it, until so many others have it that they are a
 * majority together with this one. Then no group can form that lacks an entry. Used by one thread, which it blocks.
 */
public final class Seed implements LoanDesk.Lender {
    private static final Logger LOG = LoggerFactory.getLogger(Seed.class);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final RaftReplica.Place place;
    private final LogConfig config;
    private final Clock clock;
    private final Joined joined;
    private final Mailbox mailbox = new Mailbox();
    private ShardLog log;
    private long epoch;
    private volatile long number;

    /** Remembers who has joined, whatever happens to this process. From any thread. */
    public interface Joined {
        /** @throws IOException where that cannot be stored */
        void add(String node) throws IOException;

        /** How many there are. */
        int count();
    }

    public Seed(RaftReplica.Place place, LogConfig config, Clock clock, Joined joined) {
        this.place = place;
        this.config = config;
        this.clock = clock;
        this.joined = joined;
    }

    /**
     * Returns once a majority has the log.
     *
     * @param appliedIndex of the state image beside the log
     * @param givenUp whether that is not wanted any more
     * @throws IOException where it was given up, or the log cannot be read
     */
    public void run(long appliedIndex, BooleanSupplier givenUp) throws IOException {
        int needed = place.config().peers().size() / 2;
        log = new ShardLog(new FileDisk(place.files().log()), clock, config, 0);
        try {
            log.open(appliedIndex);
            begin();
            LOG.info(
                    "This node's log, up to entry {}, becomes that of the cluster: it serves once {} of the others"
                            + " have copied it",
                    log.lastIndex(),
                    needed);
            while (joined.count() < needed) {
                if (givenUp.getAsBoolean()) {
                    throw new IOException("the node ends before others have copied its log");
                }
                if (mailbox.drain() == 0) {
                    LockSupport.parkNanos(this, PAUSE_NANOS);
                }
            }
        } catch (DamagedLogException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            place.loans().close(place.config().group(), number);
            mailbox.close();
            log.close();
            ReplicaFiles.deleteAll(place.files().lent());
        }
    }

    private void begin() throws IOException {
        MembersFile members = new MembersFile(place.membersFile());
        if (!members.exists()) {
            new VoteFile(place.voteFile(), log.lastEpoch(), cause -> {}).load(false);
            members.add(new MembersFile.Change(0, 0, place.config().members()));
        }
        epoch = log.lastEpoch();
        number = place.loans().open(place.config().group(), this);
    }

    @Override
    public CompletableFuture<Loan> begin(long ofEpoch, boolean confirmed) {
        return later(() -> {
            try {
                if (ofEpoch != epoch) {
                    throw new IOException("this log ends with epoch " + epoch);
                }
                Optional<List<LogFile>> written = log.files();
                Loan loan = Loan.of(
                        place.files(),
                        log,
                        written.orElseThrow(() -> new IOException("the log is being written")),
                        place.loans().newId(),
                        clock);
                place.loans().opened(loan);
                return CompletableFuture.completedFuture(loan);
            } catch (IOException e) {
                return CompletableFuture.failedFuture(e);
            }
        });
    }

    private CompletableFuture<Loan> later(Supplier<CompletableFuture<Loan>> work) {
        CompletableFuture<Loan> answer = new CompletableFuture<>();
        boolean taken = mailbox.offer(() -> work.get().whenComplete((loan, failure) -> {
            if (failure == null) {
                answer.complete(loan);
            } else {
                answer.completeExceptionally(failure);
            }
        }));
        if (!taken) {
            answer.completeExceptionally(new IOException("this node lends no more"));
        }
        return answer;
    }

    @Override
    public void givenBack(Loan loan) {
        place.loans().ended(loan);
    }

    @Override
    public LoanDesk.Standing standing(String asker) {
        return new LoanDesk.Standing(epoch, true, true, false, number);
    }

    @Override
    public void joined(int at) throws IOException {
        List<RaftPeer> peers = place.config().peers();
        if (at < 0 || at >= peers.size() || peers.get(at).equals(place.config().self())) {
            throw new IOException("node " + at + " of " + peers.size() + " has joined?");
        }
        joined.add(peers.get(at).name());
        LOG.info("{} has copied this node's log", peers.get(at).name());
    }
}
