package io.duramen.jms.delivery;

import java.nio.ByteBuffer;

/**
 * Any thread. One message lent to one consumer.
 *
 * @param number of the delivery, from 1 since its consumer attached
 * @param count counts this delivery, so 1 for the first
 * @param record as its producer encoded it
 */
public record Delivery(int partition, long offset, long number, int count, ByteBuffer record) {}
