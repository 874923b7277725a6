/** Where clients come in: bytes to frames, login, limits, and the way between the event loops and the shards. */
package io.duramen.node.network;
