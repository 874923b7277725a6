/**
 * Queues and topics as the application holds them. A package of its own, below messages, sessions and the connection
 * factory, so that none of these stands in a circle with another.
 */
package io.duramen.jms.destination;
