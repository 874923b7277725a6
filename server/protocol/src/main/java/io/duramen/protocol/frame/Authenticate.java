package io.duramen.protocol.frame;

/** The second request on a connection. An error answer closes it. */
public interface Authenticate {
    /**
     * @param mechanism {@code PLAIN}; others may follow
     * @param user empty for anonymous
     * @param password empty for anonymous; never logged, absent from {@link #toString}
     */
    record Request(String mechanism, String user, String password) {
        @Override
        public String toString() {
            return "Authenticate[mechanism=" + mechanism + ", user=" + user + "]";
        }
    }

    /** @param user the name that rights are checked against; {@code anonymous} for an anonymous login */
    record Response(String user) {}
}
