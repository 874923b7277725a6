/** Queues and topics: their definitions and their partitions' ends. */
package io.duramen.broker.destination;
