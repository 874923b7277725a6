package io.duramen.broker.selector;

/**
 * What a selector may cost. Any thread.
 *
 * @param lengthMax in characters
 * @param depthMax of brackets within brackets
 * @param nodesMax operators, identifiers and literals together
 */
public record SelectorLimits(int lengthMax, int depthMax, int nodesMax) {
    /** For what was taken before, whatever the limits were then. */
    public static final SelectorLimits NONE =
            new SelectorLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
}
