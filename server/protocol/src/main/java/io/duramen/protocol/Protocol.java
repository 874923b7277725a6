package io.duramen.protocol;

/** The numbers that both sides agree on before they know each other. */
public final class Protocol {
    /** First component of {@code Hello.Request}; tells a stray peer of another protocol from ours ("DRMN"). */
    public static final int MAGIC = 0x44524D4E;

    /** Oldest version that this code speaks. */
    public static final int VERSION_MIN = 1;

    /** Newest version that this code speaks. */
    public static final int VERSION = 2;

    /** Default TCP port. */
    public static final int PORT = 7676;

    /** Longest frame accepted before login, in bytes: nothing but Hello and Authenticate is due then. */
    public static final int HANDSHAKE_FRAME_LENGTH_MAX = 8 * 1024;

    /** Smallest and largest value that a node may set as its frame limit, in bytes. */
    public static final int FRAME_LENGTH_LIMIT_MIN = 64 * 1024;

    public static final int FRAME_LENGTH_LIMIT_MAX = 256 * 1024 * 1024;

    /** Longest name of a destination, subscription, client id or user, in UTF-8 bytes. */
    public static final int NAME_LENGTH_MAX = 255;

    private Protocol() {}
}
