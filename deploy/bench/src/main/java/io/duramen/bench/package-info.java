/** Programs around the measuring harness; nothing of a server or a client depends on them. */
package io.duramen.bench;
