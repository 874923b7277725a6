package io.duramen.examples;

/** Where the examples find their server. Stateless. */
final class ServerUrl {
    private static final String DEFAULT = "duramen://127.0.0.1:7676";

    private ServerUrl() {}

    /** The first argument, else a node on this machine at the default port. */
    static String from(String[] args) {
        return args.length > 0 ? args[0] : DEFAULT;
    }
}
