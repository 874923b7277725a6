/**
 * Shards' hard state in an embedded H2 database, through Hibernate: a projection of the log, which may be lost. One
 * thread does all of the database's work.
 */
package io.duramen.metadata.h2;
