package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestBody.aBody;
import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.destination.Partition;
import io.duramen.broker.kit.TestBody;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.FetchPart;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.Publish.Acks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Producers whose bodies interleave, that repeat parts, vanish and come back, on a shard that restarts in all ways: every
 * message that was stored is read as it was sent, and its parts are not released.
 */
class RandomLargeBodiesTest {
    private static final int SEEDS = 150;
    private static final int STEPS = 80;

    private static final class Run {
        final Random random;
        final TestShard shard = aShard().with("large-sends-max", "5").started();
        TestClient client = shard.aClient().knowsQueue("orders").knowsQueue("bills");
        final int orders = client.partitionOf("orders");
        final Map<TestBody, List<String>> open = new LinkedHashMap<>();
        final Map<Long, TestBody> stored = new LinkedHashMap<>();
        final Map<TestBody, List<String>> texts = new LinkedHashMap<>();
        long names;

        Run(int seed) {
            random = new Random(seed);
        }

        void step() {
            switch (random.nextInt(10)) {
                case 0 -> begin();
                case 1 -> repeat();
                case 2, 3 -> name();
                case 4 -> leave();
                case 5 -> restart();
                case 6 -> readAll();
                default -> goOn();
            }
        }

        private TestBody any() {
            List<TestBody> all = new ArrayList<>(open.keySet());
            return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
        }

        private void begin() {
            TestBody body = aBody(orders, ++names);
            if (open.size() == 5) {
                body.sends(client, 0, "x").isRefusedWith(ErrorCode.RESOURCE_EXHAUSTED);
            } else {
                open.put(body, new ArrayList<>());
                goOn(body);
            }
        }

        private void goOn() {
            TestBody body = any();
            if (body != null) {
                goOn(body);
            }
        }

        private void goOn(TestBody body) {
            String text = "part " + random.nextInt(1000);
            body.with(client, text);
            open.get(body).add(text);
        }

        private void repeat() {
            TestBody body = any();
            if (body != null) {
                int index = random.nextInt(open.get(body).size());
                body.sends(client, index, open.get(body).get(index)).isSuccess();
            }
        }

        private void name() {
            TestBody body = any();
            if (body != null) {
                long offset = client.publishes("orders", Acks.ALL, body.message())
                        .response(Publish.Response.class)
                        .baseOffset();
                stored.put(offset, body);
                texts.put(body, open.remove(body));
            }
        }

        /** One body is given up; or the producer is gone for good, and all are. */
        private void leave() {
            if (random.nextBoolean()) {
                TestBody body = any();
                if (body != null) {
                    body.isDropped(client).isSuccess();
                    open.remove(body);
                }
                return;
            }
            client.vanishes();
            client = shard.aClient().knowsQueue("orders").knowsQueue("bills");
            if (random.nextInt(3) == 0) {
                shard.passes(Duration.ofSeconds(61));
                open.clear();
            }
        }

        private void restart() {
            switch (random.nextInt(3)) {
                case 0 -> shard.restarts();
                case 1 -> shard.isKilledAndRestarts();
                default -> shard.restartsWithoutImage();
            }
            client = shard.aClient().knowsQueue("orders").knowsQueue("bills");
        }

        private void readAll() {
            client.publishes("bills", "something new").isSuccess();
            shard.passes(Duration.ofSeconds(11));
            long kept = shard.log().neededFrom(Partition.partsId(orders));
            stored.forEach((offset, body) -> {
                assertThat(body.body().runs().first(0)).isGreaterThanOrEqualTo(kept);
                body.reads(client, FetchPart.BROWSER, offset, texts.get(body).toArray(new String[0]));
            });
            open.keySet()
                    .forEach(body -> assertThat(body.body().runs().first(0)).isGreaterThanOrEqualTo(kept));
            assertThat(shard.image().openBodies()).hasSameSizeAs(open.keySet());
        }
    }

    @Test
    void shouldReadWhatWasSent() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Run run = new Run(seed);
            try {
                for (int i = 0; i < STEPS; i++) {
                    run.step();
                }
                run.readAll();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }
}
