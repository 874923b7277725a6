package io.duramen.broker.transaction;

/**
 * Whose half messages they are: only this user ends them and is asked about them, but for the admin, who may end any.
 *
 * @param name of those who know what becomes of them
 */
public record HalfGroup(String user, String name) {}
