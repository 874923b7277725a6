package io.duramen.broker.shard;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;

/** Decides, for operators, in which format level the shard's log is written from here on. Confined to the agent. */
final class FormatDecisions {
    private final ShardState state;
    private final Appender appender;

    FormatDecisions(ShardState state, Appender appender) {
        this.state = state;
        this.appender = appender;
    }

    /** @param after told once that is on disk; at once where it holds already */
    void decide(int level, Appender.Waiter after) {
        DecidedFormat format = state.format;
        if (level < format.level() || level > format.newest()) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    "format level " + level + ": " + format.level()
                            + " was decided, which is never lowered, and this node" + " reads levels up to "
                            + format.newest());
        }
        appender.requireWritable();
        if (level > format.level()) {
            appender.addLevel(new ControlRecord.LevelDecided(level));
        }
        appender.whenDurable(after);
    }
}
