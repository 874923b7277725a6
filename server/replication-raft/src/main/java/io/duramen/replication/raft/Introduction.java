package io.duramen.replication.raft;

import java.util.function.BooleanSupplier;

/**
 * What a node tells the others of itself besides its name, and who looks at what they tell. Immutable.
 *
 * @param directory id of its data directory, at most 100 characters: another where it has lost what it had stored
 * @param clients address at which clients reach it, at most 300 characters
 * @param joining whether its directory is new in a cluster that has data, and it knows that; asked from any thread
 * @param register from any thread
 */
public record Introduction(String directory, String clients, BooleanSupplier joining, Register register) {
    /** For nodes of whom none keeps anything, and which have no clients. */
    static final Introduction NONE = new Introduction("", "", (node, directory, clients) -> {});

    Introduction(String directory, String clients, Register register) {
        this(directory, clients, () -> false, register);
    }

    /** Who is told what the others say of themselves. */
    public interface Register {
        /**
         * A node of the cluster says this of itself, at the begin of each connection that was made to its address or has its
         * certificate.
         *
         * @throws IllegalArgumentException where nothing may be said to it; ends the connection
         */
        void met(String node, String directory, String clients);

        /**
         * As {@link #met}, of a node that says that its directory is new, and that it will not take part before it has what the others
         * have: what was known of it before is void.
         */
        default void joins(String node, String directory, String clients) {
            met(node, directory, clients);
        }

        /**
         * This node joins a cluster, and a node of that says what names it.
         *
         * @throws IllegalArgumentException where that cannot be remembered
         */
        default void found(String cluster) {
            // Who does not join knows it.
        }

        /**
         * As {@link #met} over a connection that anybody could have made, who need not be that node.
         *
         * @return whether it is believed; where not, nothing is answered to it yet
         * @throws IllegalArgumentException as {@link #met}
         */
        default boolean claims(String node, String directory, String clients) {
            met(node, directory, clients);
            return true;
        }
    }

    public Introduction {
        requireShort(directory, clients);
    }

    /** What a node says of itself is kept, and told to clients. */
    static void requireShort(String directory, String clients) {
        if (directory.length() > 100 || clients.length() > 300) {
            throw new IllegalArgumentException("a directory id of " + directory.length()
                    + " characters, or an address for clients of " + clients.length());
        }
    }
}
