package io.duramen.broker.talk;

/**
 * A shard in one leadership, from when it began to talk anew. Of two voices of a shard the higher one is the later one. Immutable.
 *
 * @param epoch of the leadership
 * @param number of the voice in that, from 1 on
 */
public record Voice(long epoch, long number) implements Comparable<Voice> {
    /** Of nobody: lower than all others. */
    static final Voice NONE = new Voice(0, 0);

    public Voice {
        if (epoch < 0 || number < 0) {
            throw new IllegalArgumentException("no voice has epoch " + epoch + " and number " + number);
        }
    }

    /** The first one of a leadership. */
    static Voice of(long epoch) {
        return new Voice(epoch, 1);
    }

    /** The next one of the same leadership. */
    Voice next() {
        return new Voice(epoch, number + 1);
    }

    @Override
    public int compareTo(Voice other) {
        return epoch == other.epoch ? Long.compare(number, other.number) : Long.compare(epoch, other.epoch);
    }
}
