package io.duramen.acceptance.process;

/** Where the random choices of a storm begin. */
public final class StormSeed {
    private StormSeed() {}

    /** As asked for ({@code -Dstorm.seed}), or a new one for each run, which every failure message is to name. */
    public static long next() {
        long given = Long.getLong("storm.seed", 0);
        return given != 0 ? given : System.nanoTime();
    }
}
