package io.duramen.acceptance.history;

/**
 * A message as its sender named it. Immutable.
 *
 * @param producer who sent it
 * @param sequence grows with every message of the producer, whatever the destination
 */
public record MessageId(int producer, long sequence) {
    @Override
    public String toString() {
        return "p" + producer + "#" + sequence;
    }
}
