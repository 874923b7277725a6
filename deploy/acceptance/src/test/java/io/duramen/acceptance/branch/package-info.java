/** Distributed transactions over a server that is killed. */
package io.duramen.acceptance.branch;
