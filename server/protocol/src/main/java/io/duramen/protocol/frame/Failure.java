package io.duramen.protocol.frame;

/**
 * The answer to a request that was refused.
 *
 * @param code {@link io.duramen.protocol.ErrorCode#number}
 * @param detail names the thing and the limit
 */
public record Failure(int code, String detail) {}
