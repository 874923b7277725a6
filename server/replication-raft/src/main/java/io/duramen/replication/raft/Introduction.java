package io.duramen.replication.raft;

/**
 * What a node tells the others of itself besides its name, and who looks at what they tell. Immutable.
 *
 * @param directory id of its data directory, at most 100 characters: another where it has lost what it had stored
 * @param clients address at which clients reach it, at most 300 characters
 * @param register from any thread
 */
public record Introduction(String directory, String clients, Register register) {
    /** For nodes of whom none keeps anything, and which have no clients. */
    static final Introduction NONE = new Introduction("", "", (node, directory, clients) -> {});

    /** Who is told what the others say of themselves. */
    public interface Register {
        /**
         * A node of the cluster says this of itself, at the begin of each connection.
         *
         * @throws IllegalArgumentException where nothing may be said to it; ends the connection
         */
        void met(String node, String directory, String clients);
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
