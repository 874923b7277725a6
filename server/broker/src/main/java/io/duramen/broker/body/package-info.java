/** Large bodies: those on their way, and what keeps stored ones. See {@code deploy/docs/adr/0011-large-bodies.md}. */
package io.duramen.broker.body;
