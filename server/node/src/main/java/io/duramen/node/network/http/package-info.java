/** A small HTTP server, which knows nothing of what is asked for. */
package io.duramen.node.network.http;
