package io.duramen.node.management;

import io.duramen.broker.shard.OperatorRequest.FindFull;
import io.duramen.broker.shard.OperatorRequest.FindStuck;
import io.duramen.broker.shard.OperatorRequest.FullEntry;
import io.duramen.broker.shard.OperatorRequest.FullPage;
import io.duramen.broker.shard.OperatorRequest.Holder;
import io.duramen.broker.shard.OperatorRequest.ListPrepared;
import io.duramen.broker.shard.OperatorRequest.PreparedEntry;
import io.duramen.broker.shard.OperatorRequest.Stuck;
import io.duramen.broker.shard.OperatorRequest.StuckPage;
import io.duramen.broker.shard.ShardCounters;
import io.duramen.broker.shard.ShardCounters.Counter;
import io.duramen.management.AlertRow;
import io.duramen.node.management.ShardQuestions.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks again and again for what operators should know of: at counters, and where these say that there may be something, by
 * bounded questions to the shards. By a thread of its own.
 */
final class Watch implements AutoCloseable {
    private static final String IN_DOUBT = "branch-in-doubt";
    private static final String STUCK = "consumer-stuck";
    private static final String FULL = "destination-full";
    private static final Set<String> OF_SHARDS = Set.of(IN_DOUBT, STUCK, FULL);
    private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

    private final ManagementConfig config;
    private final List<ShardBean> beans;
    private final List<ShardCounters> counters;
    private final ShardQuestions shards;
    private final AlertsBean alerts;
    private final Path data;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread watch = new Thread(work, "management-watch");
        watch.setDaemon(true);
        return watch;
    });
    private long deadLetters;

    /** @param data the directory on whose disk there is to be room */
    Watch(
            ManagementConfig config,
            List<ShardBean> beans,
            List<ShardCounters> counters,
            ShardQuestions shards,
            AlertsBean alerts,
            Path data) {
        this.data = data;
        this.config = config;
        this.beans = beans;
        this.counters = counters;
        this.shards = shards;
        this.alerts = alerts;
    }

    void start() {
        long millis = config.watchEvery().toMillis();
        thread.scheduleWithFixedDelay(this::look, millis, millis, TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            alerts.now(found(System.currentTimeMillis()));
        } catch (RuntimeException e) {
            LOG.warn("What operators should know of could not be looked for: {}", e.getMessage());
        }
    }

    private List<AlertRow> found(long nowMillis) {
        List<AlertRow> found = new ArrayList<>();
        diskLow(nowMillis, found);
        failing(nowMillis, found);
        Deadline deadline = shards.deadline();
        for (ShardBean shard : beans) {
            String subject = "shard " + shard.getNumber();
            damaged(shard, subject, nowMillis, found);
            if (shard.getState().equals("STOPPED")) {
                found.add(new AlertRow(
                        "shard-stopped", subject, "it takes no more changes; see the node's log", nowMillis));
                continue;
            }
            if (shard.isDiskFull()) {
                found.add(new AlertRow("disk-full", subject, "it refuses messages for lack of disk space", nowMillis));
            }
            if (!shard.getState().equals("LEADING")) {
                continue; // it answers nothing; where another node leads, that one looks
            }
            asked(shard, deadline, nowMillis, found);
        }
        return found;
    }

    private static void damaged(ShardBean shard, String subject, long nowMillis, List<AlertRow> found) {
        String damage = shard.getLogDamaged();
        if (!damage.isEmpty()) {
            found.add(new AlertRow("log-damaged", subject, damage, nowMillis));
        }
    }

    /** Of a shard that does not answer, what was found of its branches and consumers before stands. */
    private void asked(ShardBean shard, Deadline deadline, long nowMillis, List<AlertRow> found) {
        try {
            if (shard.getPreparedBranches() > 0) {
                inDoubt(shard.getNumber(), deadline, nowMillis, found);
            }
            stuck(shard.getNumber(), deadline, nowMillis, found);
            full(shard.getNumber(), deadline, nowMillis, found);
        } catch (RuntimeException e) {
            LOG.warn("Shard {} did not say what operators should know of: {}", shard.getNumber(), e.getMessage());
            alerts.getActive().stream()
                    .filter(row -> OF_SHARDS.contains(row.kind()))
                    .forEach(found::add);
        }
    }

    private void diskLow(long nowMillis, List<AlertRow> found) {
        try {
            long left = Files.getFileStore(data).getUsableSpace();
            if (left < config.diskLow().count()) {
                found.add(new AlertRow(
                        "disk-low",
                        "the data directory",
                        left / (1 << 20) + " MiB are left for " + data + ", which is less than management.disk-low",
                        nowMillis));
            }
        } catch (IOException e) {
            LOG.warn("How much room is left for {} is not known: {}", data, e.toString());
        }
    }

    private void inDoubt(int shard, Deadline deadline, long nowMillis, List<AlertRow> found) {
        for (PreparedEntry branch : shards.ask(shard, new ListPrepared(), deadline)) {
            if (branch.preparedMillis() < nowMillis - config.inDoubtAfter().toMillis()) {
                found.add(new AlertRow(
                        IN_DOUBT,
                        "branch " + branch.id() + " in shard " + shard,
                        "prepared by '" + branch.user() + "', its transaction manager has not ended it",
                        nowMillis));
            }
        }
    }

    private void stuck(int shard, Deadline deadline, long nowMillis, List<AlertRow> found) {
        long longer = config.stuckAfter().toMillis();
        int after = 0;
        do {
            StuckPage page = shards.ask(shard, new FindStuck(after, longer), deadline);
            page.entries().forEach(one -> found.add(row(one, nowMillis)));
            after = page.next();
        } while (after >= 0);
    }

    private static AlertRow row(Stuck stuck, long nowMillis) {
        Holder holder = stuck.holder();
        return new AlertRow(
                STUCK,
                "'" + stuck.destination() + "'"
                        + (stuck.subscription().isEmpty() ? "" : ", subscription '" + stuck.subscription() + "'")
                        + ", connection " + holder.connection() + ", consumer " + holder.consumer(),
                "it holds message " + MessagePlace.text(stuck.partition(), stuck.offset()) + " since "
                        + holder.heldMillis() / 1000 + " s, and maybe others",
                nowMillis);
    }

    private void full(int shard, Deadline deadline, long nowMillis, List<AlertRow> found) {
        String after = "";
        do {
            FullPage page = shards.ask(shard, new FindFull(after), deadline);
            page.entries().forEach(one -> found.add(row(one, nowMillis)));
            after = page.next();
        } while (!after.isEmpty());
    }

    private static AlertRow row(FullEntry full, long nowMillis) {
        return new AlertRow(
                FULL,
                "'" + full.destination() + "', partition " + full.partition(),
                "it has " + full.messages() + " messages" + limit(full.messagesMax(), "max-messages")
                        + (full.bytesMax() == Long.MAX_VALUE ? "" : " of " + full.bytes() + " bytes")
                        + limit(full.bytesMax(), "max-bytes") + ", and takes no more",
                nowMillis);
    }

    private static String limit(long max, String setting) {
        return max == Long.MAX_VALUE ? "" : " (" + setting + " is " + max + ")";
    }

    private void failing(long nowMillis, List<AlertRow> found) {
        long now =
                Counts.sum(counters, Counter.DEAD_LETTERS_SPENT) + Counts.sum(counters, Counter.DEAD_LETTERS_REFUSED);
        long more = now - deadLetters;
        deadLetters = now;
        if (more >= config.failingFrom()) {
            found.add(new AlertRow(
                    "consumers-failing",
                    "the node",
                    more + " messages became dead letters since the last look",
                    nowMillis));
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
