package io.duramen.management;

import javax.management.ConstructorParameters;

/**
 * What became of messages. Immutable.
 *
 * @param done messages that it was done to
 * @param skipped messages that were chosen and had to stay: dead letters of a topic, or of a queue that is no more
 * @param complete whether all messages were looked at that were there when it began; otherwise the limit or the time ended it
 */
public record MoveResult(long done, long skipped, boolean complete) {
    @ConstructorParameters({"done", "skipped", "complete"})
    public MoveResult {}

    public long getDone() {
        return done;
    }

    public long getSkipped() {
        return skipped;
    }

    public boolean isComplete() {
        return complete;
    }
}
