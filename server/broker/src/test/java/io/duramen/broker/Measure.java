package io.duramen.broker;

import static io.duramen.broker.kit.TestShard.aShard;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.frame.Settle.Outcome;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;

/**
 * Tells what processor time a message costs in the shard's agent alone, from publish over delivery to settlement, with batches of some
 * sizes: {@code java … io.duramen.broker.Measure [messages]}. The log is in memory; its copy of the bytes is in the figure.
 */
final class Measure {
    private static final int TEXT_LENGTH = 1024 - 64;

    private Measure() {}

    public static void main(String[] arguments) {
        int messages = arguments.length == 0 ? 400_000 : Integer.parseInt(arguments[0]);
        for (int round = 0; round < 3; round++) {
            for (int batch : new int[] {1, 16, 64, 256}) {
                int count = batch == 1 ? messages / 4 : messages;
                System.out.printf("round %d, batches of %3d: %.2f µs a message%n", round, batch, run(count, batch));
            }
        }
    }

    private static double run(int messages, int batch) {
        TestShard shard = aShard().with("metadata.flush-bytes", "1GiB").started();
        TestClient client = shard.aClient().knowsQueue("orders");
        int partition = client.partitionOf("orders");
        TestConsumer consumer = client.consumes("orders").silent().withCredit(Integer.MAX_VALUE);
        String[] texts = new String[batch];
        Arrays.fill(texts, "x".repeat(TEXT_LENGTH));
        Batches prepared = Batches.of(texts).prepared();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long begin = threads.getCurrentThreadCpuTime();
        for (long offset = 0; offset < messages; offset += batch) {
            client.publishes(partition, Acks.LEADER, prepared);
            consumer.settles(Outcome.ACCEPTED, false, List.of(new OffsetRange(offset, offset + batch - 1)));
            client.forgets();
            if ((offset / batch) % 64 == 0) {
                shard.medium().forget(partition, offset);
                consumer.withCredit(0);
            }
        }
        double nanos = threads.getCurrentThreadCpuTime() - begin;
        if (consumer.handed() < messages) {
            throw new AssertionError(consumer.handed() + " of " + messages + " were handed out");
        }
        return nanos / messages / 1000;
    }
}
