package io.duramen.broker.shard;

import io.duramen.protocol.ProtocolException;
import java.util.HashSet;
import java.util.Set;

/**
 * Definitions that are being changed: appended, not yet committed. Requests about them wait and are decided anew
 * afterwards, so that each decision reads committed state. Confined to the agent.
 */
final class Changes {
    private final Appender appender;
    private final Set<String> pending = new HashSet<>();

    Changes(Appender appender) {
        this.appender = appender;
    }

    boolean isPending(String key) {
        return pending.contains(key);
    }

    /** How many definitions are being changed. */
    int size() {
        return pending.size();
    }

    /** The change of {@code key} is in the open entry; {@code after} runs once it is committed. */
    void begin(String key, Appender.Waiter after) {
        pending.add(key);
        appender.whenCommitted(new Appender.Waiter() {
            @Override
            public void reached() {
                pending.remove(key);
                after.reached();
            }

            @Override
            public void failed(ProtocolException reason) {
                pending.remove(key);
                after.failed(reason);
            }
        });
    }

    /** As {@link #begin(String, Appender.Waiter)}, for a request that is decided anew afterwards. */
    void begin(String key, Reply reply, Runnable again) {
        begin(key, redecide(reply, again));
    }

    /** Decides a request anew once everything appended so far is committed. */
    void whenSettled(Reply reply, Runnable again) {
        appender.whenCommitted(redecide(reply, again));
    }

    private static Appender.Waiter redecide(Reply reply, Runnable again) {
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
