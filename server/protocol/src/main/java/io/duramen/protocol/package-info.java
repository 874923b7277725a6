/**
 * What client and server say to each other: the error table, the codec and the framing. The frames themselves stand in
 * {@link io.duramen.protocol.frame}, the message bytes that travel inside them in {@link io.duramen.protocol.record}.
 * Depends on the JDK alone.
 */
package io.duramen.protocol;
