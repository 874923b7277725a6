/**
 * The sending half of a session: messages are encoded once by the application's thread, gather in a batch for their
 * partition, and leave whenever the link's thread comes round.
 */
package io.duramen.jms.publishing;
