package io.duramen.node;

/** Nodes for tests, with as many shards as {@code -Dduramen.test.shards} says. */
public final class TestNodes {
    private TestNodes() {}

    public static Duramen.Builder embedded() {
        return Duramen.embedded().setting("log.shards", System.getProperty("duramen.test.shards", "1"));
    }
}
