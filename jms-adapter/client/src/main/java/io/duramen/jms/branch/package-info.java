/** Branches of distributed transactions: what the XAResource of a session does. */
package io.duramen.jms.branch;
