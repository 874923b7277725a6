/**
 * The state machine of one shard. A request is decided by reading state; its records are appended; replay of what is
 * committed alone changes hard state, the same when running and when recovering.
 */
package io.duramen.broker.shard;
