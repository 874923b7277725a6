package io.duramen.node;

/** Nodes for tests, whose first start waits for no slow hash of a password. */
public final class TestNodes {
    private TestNodes() {}

    /** With as many shards as {@code -Dduramen.test.shards} says. */
    public static Duramen.Builder embedded() {
        return quick().setting("log.shards", System.getProperty("duramen.test.shards", "1"));
    }

    /** With what settings say. */
    static Duramen.Builder quick() {
        return Duramen.embedded().setting("security.password-iterations", "10000");
    }
}
