/** Message endpoints: what a message-driven bean is sent, in the container's transaction. */
package io.duramen.ra.inbound;
