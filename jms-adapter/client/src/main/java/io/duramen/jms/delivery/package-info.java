/**
 * The receiving half of a consumer, below JMS: what the node has sent ahead, how much more it may send, and what the
 * application was given and has not settled.
 */
package io.duramen.jms.delivery;
