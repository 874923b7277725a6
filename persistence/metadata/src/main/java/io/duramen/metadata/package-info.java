/**
 * What of a shard's durable state is kept beside its log, so that recovery need not replay the log from its beginning:
 * a projection that can always be rebuilt.
 */
package io.duramen.metadata;
