package io.duramen.ra.address;

/** What says where the node is and who logs in: the resource adapter for all, a connection factory for its connections. */
public interface LoginSource {
    /** Resolved: with what those say that this falls back on. */
    NodeLogin login();
}
