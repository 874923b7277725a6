/** The resource adapter in real application servers, driven from outside: over HTTP, and by a client of the same node. */
package io.duramen.servers;
