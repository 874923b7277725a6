/** The image of a shard's hard state in one file beside the log, alone or below a database that may be lost. */
package io.duramen.metadata.snapshot;
