package io.duramen.jms.link;

/** The connection is gone and will not come back: the fate of what was not answered is unknown. */
public final class LinkLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean written;

    /** @param written whether the request may have reached the node; when false it certainly had no effect */
    public LinkLostException(String reason, boolean written, Throwable cause) {
        super(reason, cause);
        this.written = written;
    }

    public boolean written() {
        return written;
    }
}
