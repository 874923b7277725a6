package io.duramen.jms.delivery;

import java.nio.ByteBuffer;

/**
 * Any thread. One message lent to one consumer.
 *
 * @param count counts this delivery, so 1 for the first
 * @param record as its producer encoded it
 */
public record Delivery(int partition, long offset, int count, ByteBuffer record) {}
