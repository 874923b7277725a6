/**
 * The XA types of the API. Connections, sessions and contexts work as their plain kinds do; what their sessions do between
 * start and end of a branch belongs to that.
 */
package io.duramen.jms.xa;
