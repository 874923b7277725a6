package io.duramen.metadata;

import java.io.IOException;

/** A store does not have the state that changes build upon: the next it is given have to be {@link ShardChanges#whole}. */
public final class StateLostException extends IOException {
    public StateLostException(String message) {
        super(message);
    }

    public StateLostException(String message, Throwable cause) {
        super(message, cause);
    }

    /** @throws StateLostException where changes do not go on from a state as of this index */
    public static void requireFollows(ShardChanges changes, long appliedIndex) throws StateLostException {
        if (!changes.whole() && changes.sinceIndex() > appliedIndex) {
            throw new StateLostException("the changes since entry " + changes.sinceIndex()
                    + " do not go on from the state as of entry " + appliedIndex);
        }
    }
}
