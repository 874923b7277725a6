/** The image of a shard's hard state in one file beside the log. */
package io.duramen.metadata.snapshot;
