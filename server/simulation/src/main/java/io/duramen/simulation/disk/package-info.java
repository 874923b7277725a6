/** A disk that behaves as badly as real ones may: it reorders, tears and forgets what was not synced, fills up and fails. */
package io.duramen.simulation.disk;
