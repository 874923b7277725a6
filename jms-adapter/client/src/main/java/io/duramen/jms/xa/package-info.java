/**
 * The XA types of the API. Connections, sessions and contexts work as their plain kinds do; their resource refuses to
 * start a branch, so that no transaction manager takes for granted what this release does not do.
 */
package io.duramen.jms.xa;
