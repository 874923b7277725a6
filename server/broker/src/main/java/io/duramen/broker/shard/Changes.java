package io.duramen.broker.shard;

import io.duramen.protocol.ProtocolException;
import io.duramen.runtime.Invariant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Definitions that are being changed: appended, not yet committed. Requests about them wait and are decided anew
 * afterwards, in the order in which they came, so that each decision reads committed state. Where a log stopped on the
 * way, a change may be here and not in every shard that it concerns, until the node restarts and shards are brought in
 * line: requests about such a definition are refused, so that nobody takes to another shard what that does not have.
 * Confined to the agent.
 */
final class Changes {
    private final Appender appender;
    private final Definitions definitions;

    /** By the changing definition: what waits for it. */
    private final Map<String, ArrayDeque<Appender.Waiter>> pending = new HashMap<>();

    /** By the definition whose change failed: why. Each is in the catalogue, or was, and goes no further. */
    private final Map<String, ProtocolException> failed = new HashMap<>();

    Changes(Appender appender, Definitions definitions) {
        this.appender = appender;
        this.definitions = definitions;
    }

    /** Whether the definition is being changed, or its change failed. */
    boolean isUnsettled(String key) {
        return pending.containsKey(key) || failed.containsKey(key);
    }

    /** Why the last change of the definition may not be in every shard; empty where it is, or is on its way. */
    Optional<ProtocolException> failure(String key) {
        return Optional.ofNullable(failed.get(key));
    }

    /**
     * Whether the definition is being changed; {@code again} runs when it no longer is.
     *
     * @throws ProtocolException where its last change failed
     */
    boolean awaits(String key, Runnable again) {
        if (failed.containsKey(key)) {
            throw failed.get(key);
        }
        boolean changing = pending.containsKey(key);
        if (changing) {
            whenSettled(key, again);
        }
        return changing;
    }

    /** How many definitions are being changed. */
    int size() {
        return pending.size();
    }

    /** The change of {@code key} is in the open entry; {@code after} runs once it is committed. */
    void begin(String key, Appender.Waiter after) {
        appender.whenCommitted(change(key, after));
    }

    private Appender.Waiter change(String key, Appender.Waiter after) {
        Invariant.hold(pending.put(key, new ArrayDeque<>()) == null, "%s is being changed already", key);
        return new Appender.Waiter() {
            @Override
            public void reached() {
                ArrayDeque<Appender.Waiter> waiting = pending.remove(key);
                after.reached();
                goOn(key, waiting);
            }

            @Override
            public void failed(ProtocolException reason) {
                ArrayDeque<Appender.Waiter> waiting = pending.remove(key);
                failed.put(key, reason);
                after.failed(reason);
                waiting.forEach(waiter -> waiter.failed(reason));
            }
        };
    }

    /** As {@link #begin(String, Appender.Waiter)}; {@code after} runs once other shards have followed, too. */
    void begin(String key, Definitions.Elsewhere elsewhere, Appender.Waiter after) {
        if (elsewhere.isEmpty()) {
            begin(key, after);
            return;
        }
        Appender.Waiter last = change(key, after);
        // What others have on disk has to be on disk here: these records are the truth.
        appender.whenDurable(new Appender.Waiter() {
            @Override
            public void reached() {
                definitions.tell(elsewhere, last);
            }

            @Override
            public void failed(ProtocolException reason) {
                last.failed(reason);
            }
        });
    }

    /** Decides what has waited, until one of them changes the definition again: the others wait for that, too. */
    private void goOn(String key, ArrayDeque<Appender.Waiter> waiting) {
        while (!waiting.isEmpty()) {
            ArrayDeque<Appender.Waiter> next = pending.get(key);
            if (next != null) {
                next.addAll(waiting);
                return;
            }
            waiting.poll().reached();
        }
    }

    /** As {@link #begin(String, Appender.Waiter)}, for a request that is decided anew afterwards. */
    void begin(String key, Reply reply, Runnable again) {
        begin(key, redecide(reply, again));
    }

    /** As above, where other shards have to follow. */
    void begin(String key, Definitions.Elsewhere elsewhere, Reply reply, Runnable again) {
        begin(key, elsewhere, redecide(reply, again));
    }

    /** Decides a request anew once the change of {@code key}, which is unsettled, is committed; refuses it where it failed. */
    void whenSettled(String key, Reply reply, Runnable again) {
        await(key, redecide(reply, again));
    }

    private void await(String key, Appender.Waiter waiter) {
        ProtocolException failure = failed.get(key);
        if (failure != null) {
            waiter.failed(failure);
        } else {
            pending.get(key).add(waiter);
        }
    }

    /** Runs something once the change of {@code key}, which is unsettled, is committed or will never be. */
    void whenSettled(String key, Runnable done) {
        await(key, new Appender.Waiter() {
            @Override
            public void reached() {
                done.run();
            }

            @Override
            public void failed(ProtocolException reason) {
                done.run();
            }
        });
    }

    /** Decides a request anew once everything appended so far is committed. */
    void whenCommitted(Reply reply, Runnable again) {
        appender.whenCommitted(redecide(reply, again));
    }

    static Appender.Waiter redecide(Reply reply, Runnable again) {
        return new Appender.Waiter() {
            @Override
            public void reached() {
                again.run();
            }

            @Override
            public void failed(ProtocolException reason) {
                reply.fail(reason);
            }
        };
    }
}
