package io.duramen.node.command;

/** What the process ends with; the numbers of sysexits.h where they fit. Service managers act on them: see operations.md. */
public final class ExitCode {
    public static final int OK = 0;

    /** The command line is wrong. */
    public static final int USAGE = 64;

    /** The log or an image is damaged; the message says where and what to do. */
    public static final int DATA_DAMAGED = 65;

    /** The address cannot be listened on. */
    public static final int UNAVAILABLE = 69;

    /** An error in the node itself. */
    public static final int SOFTWARE = 70;

    /** The data directory is in use by another node. */
    public static final int IN_USE = 73;

    /** A file cannot be read or written. */
    public static final int IO_ERROR = 74;

    /** The node did not end within the time given. */
    public static final int STILL_RUNNING = 75;

    /** A setting is unknown or has a value that is not allowed. */
    public static final int CONFIG = 78;

    private ExitCode() {}
}
