package io.duramen.broker.kit;

import io.duramen.broker.BrokerConfig;
import io.duramen.broker.MetadataConfig;
import io.duramen.broker.shard.OperatorRequest;
import io.duramen.broker.shard.ShardAgent;
import io.duramen.broker.shard.ShardPlace;
import io.duramen.broker.shard.ShardRequest;
import io.duramen.metadata.ShardImage;
import io.duramen.protocol.Frame;
import io.duramen.runtime.settings.SettingsBinder;
import io.duramen.runtime.settings.SettingsCatalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A shard on a log and a store in memory, run by the test's thread: after each request it works until nothing is left
 * to do, unless it is {@link #paused}.
 */
public final class TestShard {
    private static final int CYCLES_MAX = 100_000;

    private final Map<String, String> settings = new HashMap<>();
    private final LogMedium medium = new LogMedium();
    private final MemoryStore store = new MemoryStore();
    private final ManualClock clock = new ManualClock();
    private ListInbox<ShardRequest> inbox;
    private ManualLog log;
    private ShardAgent agent;
    private boolean paused;
    private long lastConnection;

    private TestShard() {
        with("settlement-linger", "0s");
        with("metadata.flush-every", "10s");
        with("metadata.snapshot-every", "10s");
    }

    public static TestShard aShard() {
        return new TestShard();
    }

    /** @param setting its key behind {@code broker.}; or one that begins with {@code metadata.} */
    public TestShard with(String setting, String value) {
        settings.put(setting.startsWith("metadata.") ? setting : "broker." + setting, value);
        return this;
    }

    public TestShard started() {
        open();
        run();
        return this;
    }

    /** Recovers the log but does not work yet. */
    public TestShard open() {
        inbox = new ListInbox<>();
        log = new ManualLog(medium, clock);
        agent = new ShardAgent(
                ShardPlace.alone(),
                config(BrokerConfig.class),
                clock,
                log,
                new ShardAgent.Metadata(store, config(MetadataConfig.class)),
                inbox);
        try {
            agent.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    private <T extends Record> T config(Class<T> type) {
        return SettingsBinder.of(
                        new SettingsCatalog(Map.of("broker", BrokerConfig.class, "metadata", MetadataConfig.class)))
                .overrides(settings)
                .build()
                .bind(type);
    }

    public ManualLog log() {
        return log;
    }

    public LogMedium medium() {
        return medium;
    }

    public MemoryStore store() {
        return store;
    }

    public ShardAgent agent() {
        return agent;
    }

    /** Requests that wait in the inbox. */
    public int waiting() {
        return inbox.size();
    }

    /** From now on the shard works only when told to {@link #run}. */
    public TestShard paused() {
        paused = true;
        return this;
    }

    public TestShard resumed() {
        paused = false;
        run();
        return this;
    }

    /** Works until nothing is left to do. */
    public void run() {
        int cycles = 0;
        while (agent.doWork() > 0) {
            if (++cycles > CYCLES_MAX) {
                throw new AssertionError("the shard does not come to rest");
            }
        }
    }

    /** The shard works at each of its deadlines on the way, as it does when it sleeps until then. */
    public void passes(Duration time) {
        long end = clock.nanos() + time.toNanos();
        while (agent.deadlineNanos() > clock.nanos() && agent.deadlineNanos() < end) {
            clock.advance(Duration.ofNanos(agent.deadlineNanos() - clock.nanos()));
            run();
        }
        clock.advance(Duration.ofNanos(end - clock.nanos()));
        run();
    }

    public void setsClockBack(Duration by) {
        clock.setBack(by);
    }

    public long nowNanos() {
        return clock.nanos();
    }

    public long nowMillis() {
        return clock.millis();
    }

    void takes(TestClient client, Frame frame) {
        inbox.offer(new ShardRequest.FromClient(client, frame));
        runUnlessPaused();
    }

    void loses(TestClient client, boolean clean) {
        inbox.offer(new ShardRequest.Disconnected(client, clean));
        runUnlessPaused();
    }

    /** An operator asks. */
    public <A> CompletableFuture<A> asks(OperatorRequest<A> request) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        inbox.offer(new ShardRequest.FromOperator<>(request, answer));
        runUnlessPaused();
        return answer;
    }

    private void runUnlessPaused() {
        if (!paused) {
            run();
        }
    }

    public TestClient aClient() {
        return aClient(null);
    }

    public TestClient aClient(String clientId) {
        return new TestClient(this, ++lastConnection, clientId);
    }

    public ShardImage image() {
        return agent.image();
    }

    /** Ends cleanly and starts again from the last image. */
    public TestShard restarts() {
        agent.onClose();
        return started();
    }

    /** The process dies and starts again: what was not written is lost. */
    public TestShard isKilledAndRestarts() {
        medium.loseUnwritten();
        return started();
    }

    /** The machine dies and starts again: what was not synced is lost. */
    public TestShard losesPowerAndRestarts() {
        medium.loseUnsynced();
        return started();
    }

    /** Starts again from the log alone. */
    public TestShard restartsWithoutImage() {
        agent.onClose();
        store.forget();
        return started();
    }
}
