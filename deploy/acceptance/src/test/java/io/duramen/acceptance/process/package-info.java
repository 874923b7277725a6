/** A server as a process of its own, started from the distribution. */
package io.duramen.acceptance.process;
