package io.duramen.replication.raft;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What a node tells the others of itself besides its name, and who looks at what they tell. Immutable.
 *
 * @param said asked at the begin of each connection, from any thread
 * @param joining whether its directory is new in a cluster that has data, and it knows that; asked from any thread
 * @param register from any thread
 */
public record Introduction(Supplier<Said> said, BooleanSupplier joining, Register register) {
    /** For nodes of whom none keeps anything, and which have no clients. */
    static final Introduction NONE = new Introduction(Said.of("", ""), (node, said) -> {});

    Introduction(Said said, Register register) {
        this(() -> said, () -> false, register);
    }

    /**
     * What a node says of itself. Immutable. What {@code starts} and {@code known} mean is the register's.
     *
     * @param directory id of its data directory, at most 100 characters: another where it has lost what it had stored
     * @param clients address at which clients reach it, at most 300 characters
     * @param starts which of the directory's starts this is, and which were before; at most 500 characters
     * @param known what it knows of other nodes' starts, at most 1,800 characters
     * @param formatMax level of formats up to which it reads what others have written
     * @param formatLevel in which the group writes, as far as it knows; 0 for not at all
     */
    public record Said(String directory, String clients, String starts, String known, int formatMax, int formatLevel) {
        private static final int DIRECTORY_MAX = 100;
        private static final int CLIENTS_MAX = 300;
        private static final int STARTS_MAX = 500;
        private static final int KNOWN_MAX = 1_800;

        /** @throws IllegalArgumentException where something is longer than it may be: it is kept, and told to clients */
        public Said {
            requireAtMost(DIRECTORY_MAX, directory, "a directory id");
            requireAtMost(CLIENTS_MAX, clients, "an address for clients");
            requireAtMost(STARTS_MAX, starts, "a list of starts");
            requireAtMost(KNOWN_MAX, known, "a list of what is known of others");
        }

        private static void requireAtMost(int max, String text, String what) {
            if (text.length() > max) {
                throw new IllegalArgumentException(what + " of " + text.length() + " characters, over " + max);
            }
        }

        /** Of one that counts no starts. */
        static Said of(String directory, String clients) {
            return new Said(directory, clients, "", "", 0, 0);
        }
    }

    /** Who is told what the others say of themselves. */
    public interface Register {
        /**
         * A node of the cluster says this of itself, at the begin of each connection that was made to its address or has its
         * certificate.
         *
         * @throws RefusedException where it is to take no part; it is greeted, so that it learns why, and hung up on
         * @throws IllegalArgumentException where nothing may be said to it; ends the connection
         */
        void met(String node, Said said);

        /**
         * As {@link #met}, of a node that says that its directory is new, and that it will not take part before it has what the others
         * have: what was known of it before is void.
         */
        default void joins(String node, Said said) {
            met(node, said);
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
         * As {@link #met} over a connection that anybody could have made, who need not be that node. Asked at each request, too.
         *
         * @return whether it is believed; where not, nothing is answered to it yet
         * @throws IllegalArgumentException as {@link #met}
         */
        default boolean claims(String node, Said said) {
            met(node, said);
            return true;
        }

        /**
         * This node leads, and another lacks entries that it has told to have stored.
         *
         * @param what says which, for people
         */
        default void forgot(String node, String what) {
            // Nothing is known of it that it could contradict.
        }
    }

    /** A node is to take no part: it has forgotten what others rely on, or cannot read what they write. */
    public static final class RefusedException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        public RefusedException(String message) {
            super(message);
        }
    }
}
