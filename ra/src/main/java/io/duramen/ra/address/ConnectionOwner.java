package io.duramen.ra.address;

/** Thread-safe. The resource adapter, which outlives no connection: what the server leaves open ends when that stops. */
public interface ConnectionOwner {
    /** It is open from here on. */
    void opened(AutoCloseable connection);

    /** Somebody has closed it. */
    void closed(AutoCloseable connection);
}
