package io.duramen.jms.publishing;

/**
 * Any thread. Who sends.
 *
 * @param producerId random, not 0; see {@link io.duramen.protocol.record.RecordBatch#producerId}
 * @param owner number of the session in its connection, from 0: where refusals of one-way sends go
 */
public record SessionIdentity(long producerId, int owner) {}
