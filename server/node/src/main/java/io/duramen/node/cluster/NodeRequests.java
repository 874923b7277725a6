package io.duramen.node.cluster;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node asks another for an operator, and is answered. Seldom, so each request has a thread of its own where it is carried out. From any
 * thread. Big-endian:
 *
 * <pre>
 *   request   i64 number, unique while both run     u8 kind                                        content …
 *   answer    i64 number of the request             u16 0, or the number of an {@link ErrorCode}   content …, or the reason in UTF-8
 * </pre>
 */
final class NodeRequests implements AutoCloseable {
    /** What is told under this number and those above is for this; what is below is what shards and clients have to say. */
    static final byte FIRST = 16;

    private static final byte REQUEST = FIRST;
    private static final byte ANSWER = FIRST + 1;

    /** What shards do, which is no request: it is for {@link io.duramen.node.shard.ShardLoads}. */
    static final byte LOADS = FIRST + 2;

    private static final Logger LOG = LoggerFactory.getLogger(NodeRequests.class);
    private static final int THREADS_MAX = 4;
    private static final int WAITING_MAX = 64;
    private static final int REQUEST_HEAD = Long.BYTES + 1;
    private static final int ANSWER_HEAD = Long.BYTES + Short.BYTES;

    /** Tells another node; it may not arrive. */
    interface Way {
        boolean tell(String node, byte number, byte[] content);
    }

    /** Carries out what other nodes ask. */
    interface Handler {
        /**
         * May wait.
         *
         * @param content that is left of the request
         * @throws ProtocolException where it is refused
         */
        byte[] handle(byte kind, ByteBuffer content);
    }

    private final Way way;
    private final Handler handler;
    private final AtomicLong last = new AtomicLong(new SecureRandom().nextLong());
    private final Map<Long, CompletableFuture<ByteBuffer>> open = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor threads;

    NodeRequests(Way way, Handler handler) {
        this.way = way;
        this.handler = handler;
        threads = new ThreadPoolExecutor(
                THREADS_MAX, THREADS_MAX, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(WAITING_MAX), task -> {
                    Thread thread = new Thread(task, "duramen-node-request");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Asks another node.
     *
     * @return its answer; fails with a {@link ProtocolException} where that node refuses, is not reached, or does not answer in time: then it is not
     *     known whether it was done
     */
    CompletableFuture<ByteBuffer> ask(String node, byte kind, byte[] content, Duration patience) {
        long number = last.incrementAndGet();
        CompletableFuture<ByteBuffer> answer = new CompletableFuture<>();
        open.put(number, answer);
        byte[] request = ByteBuffer.allocate(REQUEST_HEAD + content.length)
                .putLong(number)
                .put(kind)
                .put(content)
                .array();
        if (!way.tell(node, REQUEST, request)) {
            answer.completeExceptionally(
                    new ProtocolException(ErrorCode.NOT_LEADER, "node " + node + " is not connected"));
        }
        return answer.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((done, failure) -> open.remove(number));
    }

    /**
     * Waits for what {@link #ask} gives.
     *
     * @throws ProtocolException where it was refused, or is not known
     */
    static ByteBuffer await(String node, CompletableFuture<ByteBuffer> answer) {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ProtocolException refused) {
                throw new ProtocolException(refused.code(), refused.getMessage());
            }
            if (e.getCause() instanceof TimeoutException) {
                throw new ProtocolException(
                        ErrorCode.NO_MAJORITY,
                        "node " + node + " has not answered in time, and whether it was done is not known");
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProtocolException(ErrorCode.NO_MAJORITY, "interrupted before node " + node + " had answered");
        }
    }

    /** What another node tells; does not wait. */
    void told(String node, byte number, ByteBuffer content) {
        if (number == REQUEST && content.remaining() >= REQUEST_HEAD) {
            long request = content.getLong();
            byte kind = content.get();
            try {
                threads.execute(() -> carryOut(node, request, kind, content));
            } catch (RejectedExecutionException e) {
                refuse(
                        node,
                        request,
                        new ProtocolException(
                                ErrorCode.RESOURCE_EXHAUSTED, "too many requests of other nodes wait, or it ends"));
            }
        } else if (number == ANSWER && content.remaining() >= ANSWER_HEAD) {
            CompletableFuture<ByteBuffer> answered = open.remove(content.getLong());
            int code = Short.toUnsignedInt(content.getShort());
            if (answered != null && code == 0) {
                answered.complete(content);
            } else if (answered != null) {
                answered.completeExceptionally(new ProtocolException(
                        ErrorCode.of(code),
                        StandardCharsets.UTF_8.decode(content).toString()));
            }
        } else {
            LOG.error(
                    "Node {} tells what this one does not understand: {} bytes under number {}",
                    node,
                    content.remaining(),
                    number);
        }
    }

    private void carryOut(String node, long request, byte kind, ByteBuffer content) {
        try {
            answer(node, request, 0, handler.handle(kind, content));
        } catch (ProtocolException e) {
            refuse(node, request, e);
        } catch (RuntimeException e) {
            LOG.error("What node {} has asked for could not be done", node, e);
            refuse(node, request, new ProtocolException(ErrorCode.INTERNAL, String.valueOf(e.getMessage())));
        }
    }

    private void refuse(String node, long request, ProtocolException refusal) {
        answer(
                node,
                request,
                refusal.code().number(),
                String.valueOf(refusal.getMessage()).getBytes(StandardCharsets.UTF_8));
    }

    private void answer(String node, long request, int code, byte[] content) {
        boolean sent = way.tell(
                node,
                ANSWER,
                ByteBuffer.allocate(ANSWER_HEAD + content.length)
                        .putLong(request)
                        .putShort((short) code)
                        .put(content)
                        .array());
        if (!sent) {
            LOG.debug("Node {} is gone before it was answered", node);
        }
    }

    /** Who waits for an answer is refused. */
    @Override
    public void close() {
        threads.shutdownNow();
        ProtocolException ends = new ProtocolException(ErrorCode.SHUTTING_DOWN, "this node ends");
        open.values().forEach(answer -> answer.completeExceptionally(ends));
    }
}
